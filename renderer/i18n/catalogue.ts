/** The one message catalogue: English and Simplified Chinese side by side, split by view. A missing text is a type error. */
import type { Message } from './message.ts';
import { common } from './messages/common.ts';
import { connect } from './messages/connect.ts';
import { events } from './messages/events.ts';
import { findings } from './messages/findings.ts';
import { history } from './messages/history.ts';
import { informers } from './messages/informers.ts';
import { profile } from './messages/profile.ts';
import { queue } from './messages/queue.ts';
import { rbac } from './messages/rbac.ts';

const all = {
  ...common,
  ...connect,
  ...events,
  ...findings,
  ...history,
  ...informers,
  ...profile,
  ...queue,
  ...rbac,
};
export type MessageKey = keyof typeof all;
export const catalogue: Readonly<Record<MessageKey, Message>> = all;
