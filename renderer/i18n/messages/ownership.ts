import type { Message } from '../message.ts';

export const ownership = {} as const satisfies Readonly<Record<string, Message>>;
