import type { Message } from '../message.ts';

export const informers = {} as const satisfies Record<string, Message>;
