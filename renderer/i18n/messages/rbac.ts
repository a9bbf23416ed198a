import type { Message } from '../message.ts';

export const rbac = {} as const satisfies Record<string, Message>;
