import type { Message } from '../message.ts';

export const playback = {} as const satisfies Readonly<Record<string, Message>>;
