import { Plus, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { LimiterFile } from '../../../shared/model/limiter.ts';
import type { MessageKey } from '../../i18n/catalogue.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { Button, IconButton, Select, TextField } from '../../widgets/controls.tsx';
import { EditForm } from './EditForm.tsx';
import type { Save } from './ProfileDialog.tsx';
import { checkLimiter, freshLimiter } from './profileText.ts';

const types = ['default', 'exp', 'fastslow', 'bucket', 'maxof', 'maxwait', 'defaultItemBased'] as const;

/** Text fields while typing: durations and numbers are checked when it is saved. */
type Draft = Readonly<Record<string, unknown>> & { readonly type: LimiterFile['type'] };

export function LimiterEditor(props: { readonly value: LimiterFile; readonly onSave: Save }): ReactNode {
  const { t } = useI18n();
  const stored = JSON.stringify(props.value);
  const [draft, setDraft] = useState<Draft>(props.value);
  useEffect(() => setDraft(JSON.parse(stored) as Draft), [stored]);
  const checked = checkLimiter(numbersOf(draft));
  const changed = JSON.stringify(checked.ok ? checked.value : draft) !== stored;
  return (
    <EditForm
      changed={changed}
      invalid={
        checked.ok
          ? undefined
          : t('profile.limiter.invalid', { field: checked.error.field, why: checked.error.why })
      }
      onSave={() => {
        if (checked.ok) void props.onSave(JSON.parse(JSON.stringify(checked.value)));
      }}
      onReset={() => setDraft(props.value)}
    >
      <LimiterFields draft={draft} was={props.value} onChange={setDraft} />
    </EditForm>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  /** The stored limiter of the same place: its values stand in the labels of changed fields. */
  readonly was: LimiterFile | undefined;
  readonly onChange: (draft: Draft) => void;
}

function LimiterFields({ draft, was, onChange }: FieldsProps): ReactNode {
  const { t } = useI18n();
  const fields = fieldsOf(draft.type);
  const before = was?.type === draft.type ? (was as unknown as Draft) : undefined;
  return (
    <div className="limiter">
      <div className="limiterFields">
        <span className="limiterField">
          <span className="label">{t('profile.limiter.type')}</span>
          <Select<LimiterFile['type']>
            label={t('profile.limiter.type')}
            value={draft.type}
            options={types.map((type) => ({ value: type, label: t(`profile.limiter.type.${type}`) }))}
            onChange={(type) => onChange(freshLimiter(type))}
          />
        </span>
        {fields.map((field) => {
          const name = t(`profile.limiter.${field}` as MessageKey);
          const text = `${draft[field] ?? (field === 'factor' ? 2 : '')}`;
          const old = before === undefined ? undefined : `${before[field] ?? (field === 'factor' ? 2 : '')}`;
          const changed = old !== undefined && old !== text;
          return (
            <span key={field} className="limiterField">
              <span className={changed ? 'label inkAccent' : 'label'}>
                {changed ? t('profile.limiter.was', { field: name, value: old }) : name}
              </span>
              <TextField
                label={name}
                value={text}
                changed={changed}
                onChange={(value) => onChange({ ...draft, [field]: value })}
              />
            </span>
          );
        })}
      </div>
      {draft.type === 'maxof' && <Several draft={draft} was={was} onChange={onChange} />}
      {draft.type === 'maxwait' && (
        <div className="limiterInner">
          <LimiterFields
            draft={draft.limiter as Draft}
            was={was?.type === 'maxwait' ? was.limiter : undefined}
            onChange={(limiter) => onChange({ ...draft, limiter })}
          />
        </div>
      )}
    </div>
  );
}

function Several({ draft, was, onChange }: FieldsProps): ReactNode {
  const { t } = useI18n();
  const limiters = draft.limiters as readonly Draft[];
  const before = was?.type === 'maxof' ? was.limiters : [];
  function set(next: readonly Draft[]) {
    onChange({ ...draft, limiters: next });
  }
  return (
    <>
      {limiters.map((inner, index) => {
        const id = `${index}`;
        return (
          <div key={id} className="limiterInner">
            <LimiterFields
              draft={inner}
              was={before[index]}
              onChange={(changed) => set(limiters.map((other, at) => (at === index ? changed : other)))}
            />
            {limiters.length > 1 && (
              <IconButton
                small
                label={t('profile.limiter.remove')}
                onClick={() => set(limiters.filter((_, at) => at !== index))}
              >
                <X size={14} strokeWidth={1.75} />
              </IconButton>
            )}
          </div>
        );
      })}
      <div>
        <Button
          small
          kind="quiet"
          icon={<Plus size={14} strokeWidth={1.75} />}
          onClick={() => set([...limiters, freshLimiter('bucket')])}
        >
          {t('profile.limiter.add')}
        </Button>
      </div>
    </>
  );
}

function fieldsOf(type: LimiterFile['type']): readonly string[] {
  switch (type) {
    case 'exp':
      return ['base', 'factor', 'max'];
    case 'fastslow':
      return ['fast', 'slow', 'maxFastAttempts'];
    case 'bucket':
      return ['qps', 'burst'];
    case 'maxwait':
      return ['max'];
    case 'maxof':
    case 'default':
    case 'defaultItemBased':
      return [];
  }
}

const numeric = new Set(['factor', 'maxFastAttempts', 'qps', 'burst']);

/** Fields that hold numbers, as numbers; text that is none stays text, so that the check names it. */
export function numbersOf(draft: Draft): unknown {
  const entries = Object.entries(draft).map(([field, value]) => {
    if (field === 'limiters') return [field, (value as readonly Draft[]).map(numbersOf)];
    if (field === 'limiter') return [field, numbersOf(value as Draft)];
    if (!numeric.has(field) || typeof value !== 'string') return [field, value];
    const number = Number(value);
    return [field, value.trim() === '' || Number.isNaN(number) ? value : number];
  });
  return Object.fromEntries(entries);
}
