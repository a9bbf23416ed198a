import type { Message } from '../message.ts';

export const sessions = {} as const satisfies Readonly<Record<string, Message>>;
