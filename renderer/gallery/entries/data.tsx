import { Ban, Equal, FileText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { diffOf } from '../../testing/incident/objects.ts';
import { at } from '../../testing/incident/time.ts';
import { CodePatch } from '../../widgets/CodePatch.tsx';
import { ConditionBands } from '../../widgets/ConditionBands.tsx';
import { Cut } from '../../widgets/Cut.tsx';
import { Button } from '../../widgets/controls.tsx';
import { type Column, DataGrid } from '../../widgets/DataGrid.tsx';
import { Dialog } from '../../widgets/Dialog.tsx';
import { MiddleCut } from '../../widgets/MiddleCut.tsx';
import { ResultMark } from '../../widgets/ResultMark.tsx';
import { Sparkline } from '../../widgets/Sparkline.tsx';
import { Splitter } from '../../widgets/Splitter.tsx';
import { type StepItem, StepList } from '../../widgets/StepList.tsx';
import { OwnerChip, StructuralDiff } from '../../widgets/StructuralDiff.tsx';
import { Yaml } from '../../widgets/Yaml.tsx';
import type { Entry } from '../entry.ts';

interface KeyLine {
  readonly key: string;
  readonly failures: number;
}
const keys: readonly KeyLine[] = [
  { key: 'shop/orders-db', failures: 17 },
  { key: 'billing/ledger-db', failures: 23 },
  { key: 'dev/sandbox-db', failures: 8 },
];
const columns: readonly Column<KeyLine>[] = [
  { id: 'key', header: 'Key', track: 'minmax(120px, 1fr)', cell: (row) => row.key },
  {
    id: 'failures',
    header: 'Failures',
    track: '80px',
    align: 'end',
    compare: (a, b) => a.failures - b.failures,
    cell: (row) => row.failures,
  },
];

const results = [
  'success',
  'requeue-after',
  'requeue',
  'error',
  'terminal',
  'panic',
  'unknown',
  'running',
] as const;
const steps: readonly StepItem[] = [
  {
    id: 'apply',
    at: '+12.4 ms',
    icon: <Equal size={14} strokeWidth={1.75} />,
    text: 'Apply StatefulSet',
    end: 'no change',
    more: () => <p>The API server answered with the version that was there.</p>,
  },
  {
    id: 'update',
    at: '+31.8 ms',
    icon: <Ban size={14} strokeWidth={1.75} />,
    text: 'Update Database/status',
    tone: 'failed',
    end: '403',
    open: true,
    more: () => <p>Tried, not stored.</p>,
  },
  {
    id: 'line',
    at: '+40.1 ms',
    icon: <FileText size={14} strokeWidth={1.75} />,
    text: 'Reconciler error',
    tone: 'quiet',
  },
];

export const data: readonly Entry[] = [
  {
    id: 'data-grid',
    shows: ['DataGrid', 'GridHead'],
    props:
      'label · id · columns · rows · rowKey · rowHeight · selected · onSelect · onOpen · highlight · fit · empty',
    samples: [
      { state: 'selected', wide: true, node: <Keys /> },
      { state: 'focus', wide: true, node: <Keys />, force: 'focus' },
      { state: 'highlight', wide: true, node: <Keys highlight={['db']} /> },
      { state: 'empty', wide: true, node: <Keys rows={[]} /> },
    ],
  },
  {
    id: 'result-mark',
    shows: ['ResultMark'],
    props: 'result · basis · size · label',
    samples: (['observed', 'reported', 'inferred'] as const).map((basis) => ({
      state: basis,
      node: (
        <span style={{ display: 'flex', gap: 10 }}>
          {results.map((result) => (
            <ResultMark key={result} result={result} basis={basis} size={18} label={result} />
          ))}
        </span>
      ),
    })),
  },
  {
    id: 'step-list',
    shows: ['StepList'],
    props: 'label · steps: at · icon · text · tone · end · more · open',
    samples: [
      { state: 'one opened', wide: true, node: <StepList label="Steps" steps={steps} /> },
      { state: 'focus', wide: true, node: <StepList label="Steps" steps={steps} />, force: 'focus' },
      { state: 'hover', wide: true, node: <StepList label="Steps" steps={steps} />, force: 'hover' },
    ],
  },
  {
    id: 'condition-bands',
    shows: ['ConditionBands'],
    props: 'label · from · to · now · rows · marks · cause · gaps · selected · onSelect',
    samples: [
      {
        state: 'held after the cause',
        wide: true,
        node: (
          <ConditionBands
            label="Conditions"
            from={at('14:00:00')}
            to={at('14:15:00')}
            now={at('14:12:06')}
            nowLabel="now"
            rows={[
              {
                id: 'Ready',
                label: 'Ready',
                spans: [
                  {
                    id: 'a',
                    from: at('14:00:00'),
                    to: at('14:02:11'),
                    tone: 'ok',
                    text: 'True',
                    name: 'Ready True until 14:02:11',
                  },
                  {
                    id: 'b',
                    from: at('14:02:11'),
                    tone: 'failed',
                    text: 'False · Upgrading, held',
                    name: 'Ready False since 14:02:11, held',
                    held: true,
                  },
                ],
              },
            ]}
            cause={{ at: at('14:03:20'), label: 'role changed' }}
          />
        ),
      },
    ],
  },
  {
    id: 'structural-diff',
    shows: ['StructuralDiff', 'OwnerChip'],
    props: 'rows: DiffRow[] · writer, takenFrom',
    samples: [
      { state: 'changes', wide: true, node: <StructuralDiff rows={diffOf(152_240, undefined).rows} /> },
      { state: 'empty', wide: true, node: <StructuralDiff rows={[]} /> },
      {
        state: 'OwnerChip',
        node: <OwnerChip writer={{ manager: 'hpa', operation: 'Update' }} takenFrom="kubectl" />,
      },
    ],
  },
  {
    id: 'code-patch',
    shows: ['CodePatch', 'Yaml'],
    props: 'lines: { text, added }[] · label',
    samples: [
      {
        state: 'CodePatch',
        wide: true,
        node: (
          <CodePatch
            label="Patch"
            lines={[
              { text: '- apiGroups: [db.example.com]', added: false },
              { text: '  resources: [databases]', added: false },
              { text: '- apiGroups: [db.example.com]', added: true },
              { text: '  resources: [databases/status]', added: true },
            ]}
          />
        ),
      },
      {
        state: 'Yaml',
        wide: true,
        node: <Yaml label="YAML" text={'kind: Database\nspec:\n  replicas: 3\n'} />,
      },
    ],
  },
  {
    id: 'sparkline',
    shows: ['Sparkline'],
    props: 'counts, newest right',
    samples: [
      { state: 'busy', node: <Sparkline counts={[0, 2, 5, 1, 0, 0, 9, 4, 12, 3, 0, 1]} /> },
      { state: 'calm', node: <Sparkline counts={[0, 0, 1, 0, 0, 0, 0, 1]} /> },
      { state: 'empty', node: <Sparkline counts={[]} /> },
    ],
  },
  {
    id: 'middle-cut',
    shows: ['MiddleCut'],
    props: 'text: one line that keeps its end, the whole in its tooltip',
    samples: [
      { state: 'fits', node: <MiddleCut text="operator.log" /> },
      {
        state: 'cut',
        node: (
          <span style={{ display: 'inline-flex', width: 220 }}>
            <MiddleCut text="database-operator-7c9f8d-q2x4l / manager" />
          </span>
        ),
      },
    ],
  },
  {
    id: 'cut',
    shows: ['Cut'],
    props: 'text: one line, the whole in its tooltip',
    samples: [
      {
        state: 'cut',
        node: (
          <span style={{ display: 'inline-flex', width: 160 }}>
            <Cut text="CustomResourceDefinition/-/databases.db.example.com" />
          </span>
        ),
      },
    ],
  },
  {
    id: 'splitter',
    shows: ['Splitter'],
    props: 'label · axis · edge · size · min · max · reset · onSize; arrows 16 px, double click resets',
    samples: [
      { state: 'rest', node: <Panes /> },
      { state: 'hover', node: <Panes />, force: 'hover' },
      { state: 'focus', node: <Panes />, force: 'focus' },
    ],
  },
  {
    id: 'dialog',
    shows: ['Dialog'],
    props: 'open · onClose · title · subtitle · foot',
    samples: [{ state: 'opens', node: <Opens /> }],
  },
];

function Keys(props: {
  readonly rows?: readonly KeyLine[];
  readonly highlight?: readonly string[];
}): ReactNode {
  const [selected, setSelected] = useState('shop/orders-db');
  return (
    <DataGrid
      fit="content"
      label="Keys"
      columns={columns}
      rows={props.rows ?? keys}
      rowKey={(row) => row.key}
      rowHeight={28}
      selected={selected}
      onSelect={(row) => setSelected(row.key)}
      highlight={props.highlight ?? []}
      empty={<p className="small tertiary">No key is waiting.</p>}
    />
  );
}

function Panes(): ReactNode {
  const [size, onSize] = useState(120);
  return (
    <div className="gallerySplit">
      <div style={{ width: size }} />
      <Splitter
        label="Width"
        axis="x"
        edge="before"
        size={size}
        min={60}
        max={200}
        reset={120}
        onSize={onSize}
      />
    </div>
  );
}

function Opens(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open a dialog</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Settings"
        subtitle="traps focus and gives it back"
        foot={<Button onClick={() => setOpen(false)}>Close</Button>}
      >
        Esc and the scrim close it.
      </Dialog>
    </>
  );
}
