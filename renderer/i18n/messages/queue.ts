import type { Message } from '../message.ts';

export const queue = {} as const satisfies Record<string, Message>;
