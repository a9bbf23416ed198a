/** Every widget in its states on one page: `scripted.html?gallery`. What the component sheet of the design shows. */
import { Copy as CopyIcon, Inbox, Unplug } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { diffOf } from '../testing/incident/objects.ts';
import { AxisHead, AxisLine } from '../views/queue/LogAxis.tsx';
import { createLogScale } from '../views/queue/logScale.ts';
import { Priority } from '../views/queue/ReadySection.tsx';
import { BasisMark } from '../widgets/BasisMark.tsx';
import { CodePatch } from '../widgets/CodePatch.tsx';
import { CopyButton } from '../widgets/Copy.tsx';
import { Button, Check, IconButton, Kbd, Pill, Segmented, Select, TextField } from '../widgets/controls.tsx';
import { DataGrid } from '../widgets/DataGrid.tsx';
import { Banner, EmptyState, KeyValue, ProblemLine, Progress, Section, Verdict } from '../widgets/parts.tsx';
import { Sparkline } from '../widgets/Sparkline.tsx';
import { Splitter } from '../widgets/Splitter.tsx';
import { type GlyphState, StateGlyph } from '../widgets/StateGlyph.tsx';
import { StructuralDiff } from '../widgets/StructuralDiff.tsx';
import { Yaml } from '../widgets/Yaml.tsx';
import './gallery.css';

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
const steps = Array.from({ length: 19 }, (_, n) => Math.min(1_000_000, 5 * 2 ** n));
const scale = createLogScale(steps);
const people = ['shop/orders-db', 'billing/ledger-db', 'dev/sandbox-db'].map((key) => ({ key }));

export function Gallery(): ReactNode {
  const [text, setText] = useState('');
  const [choice, setChoice] = useState<'role' | 'marker'>('role');
  const [row, setRow] = useState<string>('shop/orders-db');
  const [size, setSize] = useState(120);
  const [on, setOn] = useState(true);
  return (
    <main className="gallery">
      <h1 className="title">Widgets</h1>
      <Item name="StateGlyph">
        {states.map((state) => (
          <span key={state} className="galleryPair">
            <StateGlyph state={state} size={12} />
            <StateGlyph state={state} size={16} />
            {state}
          </span>
        ))}
      </Item>
      <Item name="BasisMark">
        <BasisMark basis={{ kind: 'observed', from: 'audit' }} show="source" />
        <BasisMark basis={{ kind: 'reported', from: 'log' }} show="source" />
        <BasisMark basis={{ kind: 'inferred', by: 'queue/shadow', because: [171_902] }} show="source" />
      </Item>
      <Item name="Button, IconButton, Kbd">
        <Button icon={<CopyIcon size={14} />}>Copy</Button>
        <Button kind="primary">Save</Button>
        <Button kind="quiet">Cancel</Button>
        <Button unavailable="There is nothing to save">Save</Button>
        <Button aria-pressed={on} onClick={() => setOn(!on)}>
          On
        </Button>
        <CopyButton text="copied" />
        <IconButton label="Copy">
          <CopyIcon size={16} />
        </IconButton>
        <Kbd keys="Mod+K" />
      </Item>
      <Item name="Pill, Priority">
        {(['neutral', 'ok', 'progressing', 'degraded', 'failed', 'unknown', 'gap'] as const).map((tone) => (
          <Pill key={tone} tone={tone} {...(tone === 'neutral' ? {} : { glyph: tone })}>
            {tone}
          </Pill>
        ))}
        <Priority value={10} />
        <Priority value={0} />
        <Priority value={-100} />
      </Item>
      <Item name="TextField, Select, Segmented, Check">
        <TextField label="Filter" placeholder="Filter" value={text} onChange={setText} />
        <TextField label="Wrong" value="soon" invalid onChange={() => {}} />
        <TextField label="Changed" value="60s" changed onChange={() => {}} />
        <Select
          label="Kind"
          value={choice}
          options={[
            { value: 'role', label: 'Role' },
            { value: 'marker', label: 'Marker' },
          ]}
          onChange={setChoice}
        />
        <Segmented
          label="Patch"
          value={choice}
          options={[
            { value: 'role', label: 'Role' },
            { value: 'marker', label: 'Marker' },
          ]}
          onChange={setChoice}
        />
        <Check label="Initial lists" checked={on} onChange={setOn} />
      </Item>
      <Item name="Verdict, Banner, ProblemLine, Progress">
        <div className="galleryWide">
          <Verdict note={<BasisMark basis={{ kind: 'observed', from: 'audit' }} show="source" />}>
            <span className="inkFailed">update on databases/status</span> is needed and refused.
          </Verdict>
          <Banner kind="gap" icon={<Unplug size={16} />} end={<Button small>Try now</Button>}>
            <strong>Not connected for 34 s</strong>
          </Banner>
          <Banner kind="notice" icon={<StateGlyph state="progressing" />}>
            Still reading
          </Banner>
          <ProblemLine text="There is no file ./audit.jsonl. Check the path." />
          <Progress value={0.61} label="First sync" />
        </div>
      </Item>
      <Item name="StructuralDiff, CodePatch, Yaml">
        <div className="galleryColumn">
          <StructuralDiff rows={diffOf(152_240, undefined).rows} />
        </div>
        <div className="galleryColumn">
          <CodePatch
            label="Patch"
            lines={[
              { text: '- apiGroups: [db.example.com]', added: false },
              { text: '  resources: [databases]', added: false },
              { text: '- apiGroups: [db.example.com]', added: true },
              { text: '  resources: [databases/status]', added: true },
            ]}
          />
          <Yaml label="YAML" text={'kind: Database\nspec:\n  replicas: 3\n'} />
        </div>
      </Item>
      <Item name="DataGrid, Section, KeyValue">
        <div className="galleryColumn">
          <DataGrid
            fit="content"
            label="Keys"
            columns={[
              { id: 'key', header: 'Key', track: '1fr', cell: (item) => item.key },
              { id: 'n', header: 'Failures', track: '80px', align: 'end', cell: () => '17' },
            ]}
            rows={people}
            rowKey={(item) => item.key}
            rowHeight={28}
            selected={row}
            onSelect={(item) => setRow(item.key)}
          />
        </div>
        <div className="galleryColumn">
          <Section title="Facts" end="observed">
            <KeyValue
              items={[
                ['Waited', '163.84 s'],
                ['Result', 'error'],
              ]}
            />
          </Section>
        </div>
      </Item>
      <Item name="LogAxis, Sparkline, Splitter">
        <div className="galleryColumn">
          <AxisHead scale={scale} stepsMs={steps} />
          <AxisLine scale={scale} leftMs={162_000} delayMs={327_680} tone="failed" label="2m 42s left" />
          <AxisLine scale={scale} leftMs={310} delayMs={640} tone="degraded" label="310 ms left" />
          <AxisLine scale={scale} leftMs={12_400} delayMs={30_000} tone="progressing" label="12 s left" />
        </div>
        <Sparkline counts={[0, 2, 5, 1, 0, 0, 9, 4, 12, 3, 0, 1]} />
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
            onSize={setSize}
          />
        </div>
      </Item>
      <Item name="EmptyState">
        <EmptyState
          icon={<Inbox size={20} />}
          title="The queue is empty"
          actions={<Button>Edit profile</Button>}
        >
          No key is ready, running or waiting.
        </EmptyState>
      </Item>
    </main>
  );
}

function Item(props: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className="galleryItem">
      <h2 className="label strong">{props.name}</h2>
      <div className="galleryRow">{props.children}</div>
    </section>
  );
}
