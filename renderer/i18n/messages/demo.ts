import type { Message } from '../message.ts';

export const demo = {} as const satisfies Readonly<Record<string, Message>>;
