import type { Message } from '../message.ts';

export const settings = {} as const satisfies Readonly<Record<string, Message>>;
