/** The recorded incidents as the window shows them: order, icon, words, length. Files and lengths to the ms: `demo.list`. */
import { type LucideIcon, Repeat, ShieldX, Timer, Trash2 } from 'lucide-react';
import type { MessageKey } from '../i18n/catalogue.ts';

/** In the order of the start page. The ids of assets/demo (docs/spec/demo.md). */
export const demoIds = ['status-forbidden', 'hot-loop', 'finalizer-orphaned', 'parked-retry'] as const;
export type DemoId = (typeof demoIds)[number];

export interface DemoInfo {
  readonly id: DemoId;
  readonly icon: LucideIcon;
  readonly title: MessageKey;
  /** One line: what the user of that cluster saw. */
  readonly text: MessageKey;
  /** Steps of its tour. */
  readonly steps: number;
  /** How long the tour takes, whole minutes; for `demo.length`. */
  readonly minutes: number;
}

const looks: Readonly<
  Record<DemoId, { readonly icon: LucideIcon; readonly steps: number; readonly minutes: number }>
> = {
  'status-forbidden': { icon: ShieldX, steps: 8, minutes: 4 },
  'hot-loop': { icon: Repeat, steps: 7, minutes: 3 },
  'finalizer-orphaned': { icon: Trash2, steps: 6, minutes: 3 },
  'parked-retry': { icon: Timer, steps: 7, minutes: 3 },
};

/** What a demo's card shows: `t(info.title)`, `t(info.text)`, `t('demo.length', { n: info.steps, minutes: info.minutes })`. */
export function demoInfo(id: DemoId): DemoInfo {
  return { id, ...looks[id], title: `demo.${id}.title`, text: `demo.${id}.text` };
}

/** False for a demo that a newer Loopscope brought: it plays, and has no card and no tour here. */
export function isDemoId(id: string): id is DemoId {
  return (demoIds as readonly string[]).includes(id);
}
