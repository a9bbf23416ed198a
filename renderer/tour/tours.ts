/**
 * The guided tours: for each recorded incident the steps that teach the window on it. Moments are ms from the start of
 * the recording and follow e2e/demo/incidents.ts; the words are in renderer/i18n/messages/demo.ts. Anchors are selectors,
 * best first; docs/spec/demo.md says how to add one.
 */
import type { MessageKey } from '../i18n/catalogue.ts';
import type { Tab, WindowState } from '../state/windowState.ts';
import type { DemoId } from './demos.ts';

/** `status-forbidden.keys`: the middle of the keys `tour.….title` and `tour.….text`. */
export type StepWords = {
  [K in MessageKey]: K extends `tour.${infer Words}.title` ? Words : never;
}[MessageKey];

export interface TourStep {
  readonly words: StepWords;
  readonly tab: Tab;
  /** Key of the object that the step speaks of. */
  readonly object?: string;
  /** The moment it shows, ms from the start. */
  readonly at: number;
  /** Plays from `at` to this moment, then stands still there. */
  readonly playTo?: number;
  /** How fast it plays; default 5. */
  readonly speed?: number;
  /** What the card points at: the first of these that is on screen. */
  readonly anchor: readonly string[];
  /** The anchor is in the inspector: it is opened. */
  readonly inspector?: true;
  /** What is chosen in the view. */
  readonly select?: Partial<
    Pick<
      WindowState,
      'queueKey' | 'rbacSegment' | 'eventFilter' | 'historyMode' | 'controller' | 'finding' | 'version'
    >
  >;
}

const shop = (name: string) => `db.example.com/Database/shop/${name}`;
/** The line of a key at the left; on a narrow window the rail. */
const keyLine = (name: string) => [`.navList [id$="-shop/${name}"]`, '.navList', '[data-region="nav"]'];
const playbackBar = ['[data-region="playback"]', '[data-region="status"]'];
const waitingRow = (name: string) => [
  `[data-region="view"] .waitingGrid [role="row"][data-key="shop/${name}"]`,
  '[data-region="view"] .waitingGrid',
  '[data-region="view"] .queueSection',
];
const verdict = ['[data-tour="verdict"]', '[data-region="view"] .verdictBlock'];
const inspector = ['[data-region="inspector"]'];
const grid = ['[data-region="view"] [role="grid"]'];

export const tours: Readonly<Record<DemoId, readonly TourStep[]>> = {
  'status-forbidden': [
    {
      words: 'status-forbidden.keys',
      tab: 'why',
      object: shop('orders-db'),
      at: 98_000,
      anchor: keyLine('orders-db'),
    },
    { words: 'status-forbidden.why', tab: 'why', object: shop('orders-db'), at: 98_000, anchor: verdict },
    {
      words: 'status-forbidden.cause',
      tab: 'why',
      object: shop('orders-db'),
      at: 98_000,
      anchor: ['[data-tour="root"]', ...verdict],
    },
    {
      words: 'status-forbidden.gap',
      tab: 'rbac',
      at: 98_000,
      select: { rbacSegment: 'matrix' },
      anchor: ['.matrixGap', '.matrix'],
    },
    {
      words: 'status-forbidden.evidence',
      tab: 'findings',
      at: 98_000,
      inspector: true,
      anchor: ['[data-region="inspector"] [data-tour="evidence"]', ...inspector],
    },
    {
      words: 'status-forbidden.queue',
      tab: 'queue',
      at: 98_000,
      select: { queueKey: 'shop/orders-db' },
      anchor: waitingRow('orders-db'),
    },
    {
      words: 'status-forbidden.fix',
      tab: 'why',
      object: shop('orders-db'),
      at: 98_000,
      anchor: ['[data-tour="fix"]', '[data-region="view"] .patch'],
    },
    {
      words: 'status-forbidden.next',
      tab: 'queue',
      at: 98_000,
      playTo: 112_000,
      speed: 2,
      select: { queueKey: 'shop/orders-db' },
      anchor: playbackBar,
    },
  ],
  'hot-loop': [
    {
      words: 'hot-loop.calm',
      tab: 'events',
      at: 12_000,
      playTo: 22_000,
      speed: 2,
      select: { eventFilter: 'kind:Database' },
      anchor: grid,
    },
    { words: 'hot-loop.versions', tab: 'timeline', object: shop('orders-db'), at: 40_000, anchor: grid },
    {
      words: 'hot-loop.diff',
      tab: 'timeline',
      object: shop('orders-db'),
      at: 40_000,
      inspector: true,
      select: { historyMode: 'diff' },
      anchor: inspector,
    },
    {
      words: 'hot-loop.deployment',
      tab: 'events',
      at: 40_000,
      select: { eventFilter: 'kind:Deployment' },
      anchor: grid,
    },
    {
      words: 'hot-loop.queue',
      tab: 'queue',
      at: 40_000,
      playTo: 60_000,
      speed: 2,
      anchor: ['[data-region="view"]'],
    },
    { words: 'hot-loop.next', tab: 'why', object: shop('orders-db'), at: 60_000, anchor: verdict },
  ],
  'finalizer-orphaned': [
    {
      words: 'finalizer-orphaned.keys',
      tab: 'ownership',
      object: shop('reports-db'),
      at: 100_000,
      anchor: keyLine('reports-db'),
    },
    {
      words: 'finalizer-orphaned.sentence',
      tab: 'ownership',
      object: shop('reports-db'),
      at: 100_000,
      anchor: verdict,
    },
    {
      words: 'finalizer-orphaned.graph',
      tab: 'ownership',
      object: shop('reports-db'),
      at: 100_000,
      anchor: ['[data-tour="owner-graph"]', '[data-region="view"]'],
    },
    {
      words: 'finalizer-orphaned.scaled',
      tab: 'events',
      at: 100_000,
      select: { eventFilter: 'kind:Deployment' },
      anchor: grid,
    },
    {
      words: 'finalizer-orphaned.deleted',
      tab: 'timeline',
      object: shop('reports-db'),
      at: 100_000,
      anchor: grid,
    },
    {
      words: 'finalizer-orphaned.waysOut',
      tab: 'ownership',
      object: shop('reports-db'),
      at: 100_000,
      inspector: true,
      anchor: ['[data-tour="ways-out"]', ...inspector],
    },
  ],
  'parked-retry': [
    {
      words: 'parked-retry.keys',
      tab: 'why',
      object: shop('reports-db'),
      at: 80_000,
      anchor: keyLine('reports-db'),
    },
    { words: 'parked-retry.why', tab: 'why', object: shop('reports-db'), at: 80_000, anchor: verdict },
    {
      words: 'parked-retry.cap',
      tab: 'queue',
      at: 80_000,
      select: { queueKey: 'shop/reports-db' },
      anchor: waitingRow('reports-db'),
    },
    {
      words: 'parked-retry.secret',
      tab: 'events',
      at: 80_000,
      playTo: 88_000,
      speed: 2,
      select: { eventFilter: 'kind:Secret' },
      anchor: grid,
    },
    {
      words: 'parked-retry.parked',
      tab: 'queue',
      at: 95_000,
      select: { queueKey: 'shop/reports-db' },
      anchor: waitingRow('reports-db'),
    },
    {
      words: 'parked-retry.runs',
      tab: 'conditions',
      object: shop('reports-db'),
      at: 128_000,
      playTo: 140_000,
      speed: 2,
      anchor: ['[data-tour="conditions"]', '[data-region="view"]'],
    },
  ],
};
