import type { Message } from '../message.ts';

export const conditions = {} as const satisfies Readonly<Record<string, Message>>;
