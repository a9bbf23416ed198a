import { Copy as CopyIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { CopyButton, CopyIconButton } from '../../widgets/Copy.tsx';
import {
  BoundKeysContext,
  Button,
  Check,
  IconButton,
  Kbd,
  KeyHint,
  Pill,
  Segmented,
  Select,
  TextField,
} from '../../widgets/controls.tsx';
import { FilterField } from '../../widgets/FilterField.tsx';
import { Tip } from '../../widgets/Tip.tsx';
import { type Entry, interactive } from '../entry.ts';

const options = [
  { value: 'role', label: 'Role' },
  { value: 'marker', label: 'Marker' },
] as const;

export const controls: readonly Entry[] = [
  {
    id: 'button',
    shows: ['Button'],
    props: "kind: 'plain' | 'primary' | 'quiet' · small · icon · unavailable: why",
    samples: [
      ...interactive(() => <Button icon={<CopyIcon size={14} />}>Copy</Button>),
      { state: 'primary', node: <Button kind="primary">Save</Button> },
      { state: 'primary, hover', node: <Button kind="primary">Save</Button>, force: 'hover' },
      { state: 'primary, focus', node: <Button kind="primary">Save</Button>, force: 'focus' },
      { state: 'quiet', node: <Button kind="quiet">Cancel</Button> },
      { state: 'small', node: <Button small>Try now</Button> },
      { state: 'selected', node: <Button aria-pressed>On</Button> },
      { state: 'disabled', node: <Button unavailable="There is nothing to save">Save</Button> },
    ],
  },
  {
    id: 'icon-button',
    shows: ['IconButton'],
    props: 'label · small · keys',
    samples: [
      ...interactive(() => (
        <IconButton label="Copy" keys="Mod+C">
          <CopyIcon size={16} />
        </IconButton>
      )),
      {
        state: 'selected',
        node: (
          <IconButton label="Copy" aria-pressed>
            <CopyIcon size={16} />
          </IconButton>
        ),
      },
    ],
  },
  {
    id: 'copy',
    shows: ['CopyButton', 'CopyIconButton'],
    props: 'text · label · kind; says Copied for 2 s and announces it',
    samples: [
      { state: 'primary', node: <CopyButton text="copied" /> },
      { state: 'plain', node: <CopyButton kind="plain" text="copied" label="Copy rule for your user" /> },
      { state: 'icon', node: <CopyIconButton text="copied" label="Copy the name" /> },
    ],
  },
  {
    id: 'kbd',
    shows: ['Kbd', 'KeyHint'],
    props: "keys: 'Mod+K'; KeyHint shows what the user bound in its place, or nothing",
    samples: [
      ...['Mod+K', 'Shift+F6', '?', 'Escape', 'ArrowUp', 'Mod++'].map((keys) => ({
        state: keys,
        node: <Kbd keys={keys} />,
      })),
      {
        state: 'rebound',
        node: (
          <BoundKeysContext value={() => 'Alt+Q'}>
            <KeyHint keys="Mod+K" />
          </BoundKeysContext>
        ),
      },
    ],
  },
  {
    id: 'pill',
    shows: ['Pill'],
    props: 'tone · glyph · icon',
    samples: (['neutral', 'ok', 'progressing', 'degraded', 'failed', 'unknown', 'gap'] as const).map(
      (tone) => ({
        state: tone,
        node: (
          <Pill tone={tone} {...(tone === 'neutral' ? {} : { glyph: tone })}>
            {tone}
          </Pill>
        ),
      }),
    ),
  },
  {
    id: 'text-field',
    shows: ['TextField'],
    props: 'label · value · onChange · icon · end · small · mono · invalid · changed',
    samples: [
      { state: 'empty', node: <Text start="" /> },
      { state: 'filled', node: <Text start="orders" /> },
      { state: 'focus', node: <Text start="orders" />, force: 'focus' },
      { state: 'invalid', node: <TextField label="Wrong" value="soon" invalid onChange={() => {}} /> },
      { state: 'changed', node: <TextField label="Changed" value="60s" changed onChange={() => {}} /> },
      { state: 'disabled', node: <TextField label="Off" value="none" disabled onChange={() => {}} /> },
    ],
  },
  {
    id: 'filter-field',
    shows: ['FilterField'],
    props: 'label · value · onChange · fields · problems · count · fold · onList',
    samples: [
      { state: 'empty', node: <Filter start="" /> },
      { state: 'narrows', node: <Filter start="orders" shown={3} /> },
      { state: 'wrong, focus', node: <Filter start="gap>5" wrong />, force: 'focus' },
      { state: 'folded', node: <Filter start="" fold /> },
    ],
  },
  {
    id: 'select',
    shows: ['Select', 'Segmented', 'Check'],
    props: 'label · value · options · onChange',
    samples: [
      { state: 'Select', node: <Choice as="select" /> },
      { state: 'Select, focus', node: <Choice as="select" />, force: 'focus' },
      { state: 'Segmented', node: <Choice as="segmented" /> },
      { state: 'Segmented, focus', node: <Choice as="segmented" />, force: 'focus' },
      { state: 'Check, off', node: <Toggle start={false} /> },
      { state: 'Check, on', node: <Toggle start /> },
      { state: 'Check, focus', node: <Toggle start />, force: 'focus' },
    ],
  },
  {
    id: 'tip',
    shows: ['Tip'],
    props: 'text · keys; after 400 ms, also on focus',
    samples: [
      {
        state: 'on its child',
        node: (
          <Tip text="Every status write is refused" keys="G">
            <Button>Hover or focus</Button>
          </Tip>
        ),
      },
    ],
  },
];

function Text({ start }: { readonly start: string }): ReactNode {
  const [value, onChange] = useState(start);
  return <TextField label="Name" placeholder="Name" value={value} onChange={onChange} />;
}

function Filter(props: {
  readonly start: string;
  readonly wrong?: boolean;
  readonly fold?: boolean;
  readonly shown?: number;
}): ReactNode {
  const [value, onChange] = useState(props.start);
  return (
    <FilterField
      label="Filter informers"
      value={value}
      onChange={onChange}
      fold={props.fold === true}
      fields={[
        { name: 'kind', kind: 'word', example: 'Pod' },
        { name: 'gap', kind: 'duration', example: '5s' },
      ]}
      problems={
        props.wrong === true ? [{ code: 'not-a-duration', from: 0, to: 5, field: 'gap', value: '5' }] : []
      }
      count={props.shown === undefined ? undefined : { shown: props.shown, n: 12 }}
    />
  );
}

function Choice({ as }: { readonly as: 'select' | 'segmented' }): ReactNode {
  const [value, onChange] = useState<'role' | 'marker'>('role');
  return as === 'select' ? (
    <Select label="Patch" value={value} options={options} onChange={onChange} />
  ) : (
    <Segmented label="Patch" value={value} options={options} onChange={onChange} />
  );
}

function Toggle({ start }: { readonly start: boolean }): ReactNode {
  const [checked, onChange] = useState(start);
  return <Check label="Initial lists" checked={checked} onChange={onChange} />;
}
