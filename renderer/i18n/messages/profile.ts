import type { Message } from '../message.ts';

export const profile = {} as const satisfies Record<string, Message>;
