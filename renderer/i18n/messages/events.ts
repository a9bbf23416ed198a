import type { Message } from '../message.ts';

export const events = {} as const satisfies Record<string, Message>;
