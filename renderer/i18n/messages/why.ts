import type { Message } from '../message.ts';

export const why = {} as const satisfies Readonly<Record<string, Message>>;
