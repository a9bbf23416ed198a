import type { Message } from '../message.ts';

export const history = {} as const satisfies Record<string, Message>;
