/** The one message catalogue: English and Simplified Chinese side by side, split by view. A missing text is a type error. */
import type { Message } from './message.ts';
import { common } from './messages/common.ts';
import { conditions } from './messages/conditions.ts';
import { connect } from './messages/connect.ts';
import { demo } from './messages/demo.ts';
import { events } from './messages/events.ts';
import { filter } from './messages/filter.ts';
import { findings } from './messages/findings.ts';
import { history } from './messages/history.ts';
import { informers } from './messages/informers.ts';
import { ownership } from './messages/ownership.ts';
import { playback } from './messages/playback.ts';
import { profile } from './messages/profile.ts';
import { queue } from './messages/queue.ts';
import { rbac } from './messages/rbac.ts';
import { sessions } from './messages/sessions.ts';
import { settings } from './messages/settings.ts';
import { shell } from './messages/shell.ts';
import { timeline } from './messages/timeline.ts';
import { traces } from './messages/traces.ts';
import { why } from './messages/why.ts';

const all = {
  ...common,
  ...conditions,
  ...connect,
  ...demo,
  ...events,
  ...filter,
  ...findings,
  ...history,
  ...informers,
  ...ownership,
  ...playback,
  ...profile,
  ...queue,
  ...rbac,
  ...sessions,
  ...settings,
  ...shell,
  ...timeline,
  ...traces,
  ...why,
};
export type MessageKey = keyof typeof all;
export const catalogue: Readonly<Record<MessageKey, Message>> = all;
