import type { Message } from '../message.ts';

export const findings = {} as const satisfies Record<string, Message>;
