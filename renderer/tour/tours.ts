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
const view = '[data-region="view"]';
const inspector = '[data-region="inspector"]';
/** The line of a key at the left; on a narrow window the rail. */
const keyLine = (name: string) => [`.navList [id$="-shop/${name}"]`, '[data-region="nav"]'];
/** The sentence of a view. */
const verdict = [`${view} .verdict`];
const root = [`${view} .whyRoot`, ...verdict];
const fix = [`${inspector} .whyFix`, inspector];
/** The chosen key among those that wait. */
const waitingRow = [`${view} .waitingGrid [role="row"][aria-selected="true"]`, `${view} .queueSection`];
const firstRow = [`${view} [role="grid"] [aria-rowindex="2"]`, `${view} [role="grid"]`];
const ownerGraph = [`${view} .ownerGraph`, ...verdict];
const waysOut = [`${inspector} .section`, inspector];
const playbackBar = ['[data-region="status"]'];

const orders = shop('orders-db');
const reports = shop('reports-db');

export const tours: Readonly<Record<DemoId, readonly TourStep[]>> = {
  'status-forbidden': [
    { words: 'status-forbidden.keys', tab: 'why', object: orders, at: 98_000, anchor: keyLine('orders-db') },
    { words: 'status-forbidden.why', tab: 'why', object: orders, at: 98_000, anchor: verdict },
    { words: 'status-forbidden.cause', tab: 'why', object: orders, at: 98_000, anchor: root },
    {
      words: 'status-forbidden.gap',
      tab: 'rbac',
      at: 98_000,
      select: { rbacSegment: 'matrix' },
      anchor: [`${view} .matrixGap`, `${view} .matrix`],
    },
    {
      words: 'status-forbidden.evidence',
      tab: 'findings',
      at: 98_000,
      inspector: true,
      anchor: [`${inspector} .evidenceList`, inspector],
    },
    {
      words: 'status-forbidden.queue',
      tab: 'queue',
      at: 98_000,
      select: { queueKey: 'shop/orders-db' },
      anchor: waitingRow,
    },
    { words: 'status-forbidden.fix', tab: 'why', object: orders, at: 98_000, inspector: true, anchor: fix },
    {
      words: 'status-forbidden.next',
      tab: 'queue',
      at: 98_000,
      playTo: 118_000,
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
      anchor: firstRow,
    },
    { words: 'hot-loop.why', tab: 'why', object: orders, at: 60_000, anchor: verdict },
    { words: 'hot-loop.versions', tab: 'timeline', object: orders, at: 60_000, anchor: firstRow },
    {
      words: 'hot-loop.diff',
      tab: 'timeline',
      object: orders,
      at: 60_000,
      inspector: true,
      select: { historyMode: 'diff' },
      anchor: [`${inspector} .diff`, inspector],
    },
    {
      words: 'hot-loop.queue',
      tab: 'queue',
      at: 60_000,
      playTo: 70_000,
      speed: 2,
      anchor: [`${view} .readyGrid`, `${view} .queueSection:nth-of-type(2)`, `${view} .queueSection`],
    },
    {
      words: 'hot-loop.deployment',
      tab: 'events',
      at: 70_000,
      select: { eventFilter: 'kind:Deployment writer:helm' },
      anchor: firstRow,
    },
    { words: 'hot-loop.fix', tab: 'why', object: orders, at: 70_000, inspector: true, anchor: fix },
  ],
  'finalizer-orphaned': [
    {
      words: 'finalizer-orphaned.keys',
      tab: 'ownership',
      object: reports,
      at: 100_000,
      anchor: keyLine('reports-db'),
    },
    { words: 'finalizer-orphaned.sentence', tab: 'ownership', object: reports, at: 100_000, anchor: verdict },
    { words: 'finalizer-orphaned.graph', tab: 'ownership', object: reports, at: 100_000, anchor: ownerGraph },
    {
      words: 'finalizer-orphaned.scaled',
      tab: 'events',
      at: 100_000,
      select: { eventFilter: 'kind:Deployment writer:kubectl' },
      anchor: firstRow,
    },
    { words: 'finalizer-orphaned.deleted', tab: 'timeline', object: reports, at: 100_000, anchor: firstRow },
    {
      words: 'finalizer-orphaned.waysOut',
      tab: 'ownership',
      object: reports,
      at: 100_000,
      inspector: true,
      anchor: waysOut,
    },
  ],
  'parked-retry': [
    { words: 'parked-retry.keys', tab: 'why', object: reports, at: 80_000, anchor: keyLine('reports-db') },
    { words: 'parked-retry.why', tab: 'why', object: reports, at: 80_000, anchor: verdict },
    { words: 'parked-retry.lacks', tab: 'why', object: reports, at: 80_000, anchor: root },
    {
      words: 'parked-retry.cap',
      tab: 'queue',
      at: 80_000,
      select: { queueKey: 'shop/reports-db' },
      anchor: waitingRow,
    },
    {
      words: 'parked-retry.secret',
      tab: 'events',
      at: 80_000,
      playTo: 88_000,
      speed: 2,
      select: { eventFilter: 'kind:Secret' },
      anchor: firstRow,
    },
    {
      words: 'parked-retry.parked',
      tab: 'queue',
      at: 95_000,
      select: { queueKey: 'shop/reports-db' },
      anchor: waitingRow,
    },
    {
      words: 'parked-retry.runs',
      tab: 'timeline',
      object: reports,
      at: 128_000,
      playTo: 140_000,
      speed: 2,
      anchor: firstRow,
    },
  ],
};
