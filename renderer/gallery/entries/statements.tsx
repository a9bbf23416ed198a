import { Inbox, Unplug } from 'lucide-react';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Button } from '../../widgets/controls.tsx';
import { NoMatch } from '../../widgets/NoMatch.tsx';
import {
  Banner,
  EmptyState,
  KeyValue,
  ProblemLine,
  Progress,
  Section,
  Skeleton,
  Verdict,
} from '../../widgets/parts.tsx';
import { type GlyphState, StateGlyph } from '../../widgets/StateGlyph.tsx';
import type { Entry } from '../entry.ts';

const states: readonly GlyphState[] = [
  'ok',
  'progressing',
  'degraded',
  'failed',
  'unknown',
  'deleting',
  'none',
  'gap',
];

export const statements: readonly Entry[] = [
  {
    id: 'state-glyph',
    shows: ['StateGlyph'],
    props: "state · size: 12 in rows, 16 in heads · form: 'full' | 'dot' · label",
    samples: [
      ...states.map((state) => ({
        state,
        node: (
          <>
            <StateGlyph state={state} size={12} /> <StateGlyph state={state} size={16} />
          </>
        ),
      })),
      { state: 'ok, dot', node: <StateGlyph state="ok" form="dot" /> },
    ],
  },
  {
    id: 'basis-mark',
    shows: ['BasisMark'],
    props: "basis · why · show: 'mark' | 'word' | 'source'",
    samples: [
      { state: 'observed', node: <BasisMark basis={{ kind: 'observed', from: 'audit' }} show="source" /> },
      { state: 'reported', node: <BasisMark basis={{ kind: 'reported', from: 'log' }} show="source" /> },
      {
        state: 'inferred',
        node: (
          <BasisMark basis={{ kind: 'inferred', by: 'queue/shadow', because: [171_902] }} show="source" />
        ),
      },
      { state: 'focus', node: <BasisMark basis={{ kind: 'observed', from: 'watch' }} />, force: 'focus' },
      { state: 'mark', node: <BasisMark basis={{ kind: 'reported', from: 'event' }} show="mark" /> },
    ],
  },
  {
    id: 'verdict',
    shows: ['Verdict'],
    props: 'children · note',
    samples: [
      {
        state: 'cause known',
        wide: true,
        node: (
          <Verdict note={<BasisMark basis={{ kind: 'observed', from: 'audit' }} show="source" />}>
            <span className="inkFailed">update on databases/status</span> is needed, refused 17 times, and
            granted by no role.
          </Verdict>
        ),
      },
    ],
  },
  {
    id: 'banner',
    shows: ['Banner'],
    props: "kind: 'gap' | 'notice' | 'failed' · icon · end",
    samples: [
      {
        state: 'gap: stale',
        wide: true,
        node: (
          <Banner kind="gap" icon={<Unplug size={16} />} end={<Button small>Try now</Button>}>
            <strong>Not connected for 34 s</strong>
          </Banner>
        ),
      },
      {
        state: 'notice',
        wide: true,
        node: (
          <Banner kind="notice" icon={<StateGlyph state="progressing" />}>
            Still reading: 7 of 12 resources are complete
          </Banner>
        ),
      },
      {
        state: 'failed',
        wide: true,
        node: (
          <Banner kind="failed" icon={<StateGlyph state="failed" size={16} />}>
            The engine ended
          </Banner>
        ),
      },
    ],
  },
  {
    id: 'problem-line',
    shows: ['ProblemLine'],
    props: 'text: what is wrong and what to do',
    samples: [
      {
        state: 'failed',
        wide: true,
        node: <ProblemLine text="There is no file ./audit.jsonl. Check the path." />,
      },
    ],
  },
  {
    id: 'progress',
    shows: ['Progress', 'Skeleton'],
    props: 'value: 0 … 1, undefined when nobody knows · label',
    samples: [
      { state: 'loading', wide: true, node: <Progress value={0.61} label="First sync" /> },
      { state: 'loading, unknown', wide: true, node: <Progress value={undefined} label="First sync" /> },
      { state: 'Skeleton, after 200 ms', wide: true, node: <Skeleton lines={3} /> },
    ],
  },
  {
    id: 'empty-state',
    shows: ['EmptyState', 'NoMatch'],
    props: 'icon · title · children · actions',
    samples: [
      {
        state: 'empty',
        wide: true,
        node: (
          <EmptyState
            icon={<Inbox size={20} strokeWidth={1.75} />}
            title="The queue is empty"
            actions={<Button>Go to the last reconcile</Button>}
          >
            No key is ready, running or waiting. The last reconcile ended 41 s ago with success.
          </EmptyState>
        ),
      },
      {
        state: 'not evaluated',
        wide: true,
        node: (
          <EmptyState icon={<StateGlyph state="unknown" size={20} />} title="Not evaluated">
            You may not list persistentvolumeclaims in shop. This is not the same as “none”.
          </EmptyState>
        ),
      },
      { state: 'NoMatch', wide: true, node: <NoMatch text="kind:Pod" onClear={() => {}} /> },
    ],
  },
  {
    id: 'section',
    shows: ['Section', 'KeyValue'],
    props: 'title · end · big · items: [name, value][]',
    samples: [
      {
        state: 'rest',
        wide: true,
        node: (
          <Section title="Facts" end="observed">
            <KeyValue
              items={[
                ['Waited', '163.84 s'],
                [
                  'Result',
                  <span key="result" className="inkFailed">
                    error
                  </span>,
                ],
                ['Next run', '–'],
              ]}
            />
          </Section>
        ),
      },
      {
        state: 'at a past moment',
        wide: true,
        node: (
          <Section big title="Reconcile 17" end="14:09:20.649 · 2m 46s ago">
            <KeyValue items={[['Result', 'failures 16 → 17']]} />
          </Section>
        ),
      },
    ],
  },
];
