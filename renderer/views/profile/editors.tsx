import { type ReactNode, useEffect, useState } from 'react';
import type { ControllerProfile } from '../../../shared/model/profile.ts';
import { zPredicateName } from '../../../shared/model/profile.ts';
import type { MessageKey } from '../../i18n/catalogue.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { Check, Segmented, TextField } from '../../widgets/controls.tsx';
import { EditForm } from './EditForm.tsx';
import type { Save } from './ProfileDialog.tsx';
import { parseList, parseWatches, printWatches } from './profileText.ts';

/** Text that is edited apart from the stored value and follows it when it changes elsewhere. */
function useDraft(stored: string): readonly [string, (text: string) => void] {
  const [draft, setDraft] = useState(stored);
  useEffect(() => setDraft(stored), [stored]);
  return [draft, setDraft];
}

export function TextEditor(props: {
  readonly field: 'for' | 'serviceAccount';
  readonly value: string;
  readonly onSave: Save;
}): ReactNode {
  const { t } = useI18n();
  const [draft, setDraft] = useDraft(props.value);
  const changed = draft.trim() !== props.value;
  return (
    <EditForm
      changed={changed && draft.trim() !== ''}
      onSave={() => void props.onSave(draft.trim())}
      onReset={() => setDraft(props.value)}
    >
      <TextField
        mono
        changed={changed}
        label={t(`profile.field.${props.field}`)}
        value={draft}
        onChange={setDraft}
      />
    </EditForm>
  );
}

export function ListEditor(props: {
  readonly field: 'owns' | 'fieldManagers';
  readonly value: readonly string[];
  readonly onSave: Save;
}): ReactNode {
  const { t } = useI18n();
  const stored = props.value.join(' ');
  const [draft, setDraft] = useDraft(stored);
  const changed = parseList(draft).join(' ') !== stored;
  return (
    <EditForm
      changed={changed}
      onSave={() => void props.onSave([...parseList(draft)])}
      onReset={() => setDraft(stored)}
    >
      <TextField
        mono
        changed={changed}
        label={t(`profile.field.${props.field}` as MessageKey)}
        placeholder={t('profile.list.hint')}
        value={draft}
        onChange={setDraft}
      />
    </EditForm>
  );
}

export function WatchesEditor(props: {
  readonly value: ControllerProfile['watches']['value'];
  readonly onSave: Save;
}): ReactNode {
  const { t } = useI18n();
  const stored = printWatches(props.value);
  const [draft, setDraft] = useDraft(stored);
  const parsed = parseWatches(draft);
  return (
    <EditForm
      changed={draft.trim() !== stored.trim()}
      invalid={parsed.ok ? undefined : parsed.error}
      onSave={() => {
        if (parsed.ok) void props.onSave(parsed.value.map((watch) => ({ ...watch })));
      }}
      onReset={() => setDraft(stored)}
    >
      <div className="field profileArea mono">
        <textarea
          aria-label={t('profile.field.watches')}
          rows={Math.max(2, draft.split('\n').length)}
          spellCheck={false}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      </div>
      <p className="small tertiary">{t('profile.field.watches.hint')}</p>
    </EditForm>
  );
}

export function PredicatesEditor(props: {
  readonly value: ControllerProfile['predicates']['value'];
  readonly onSave: Save;
}): ReactNode {
  return (
    <div className="profileChecks">
      {zPredicateName.options.map((name) => (
        <Check
          key={name}
          label={<code>{name}</code>}
          checked={props.value.includes(name)}
          onChange={(checked) =>
            void props.onSave(
              zPredicateName.options.filter((other) =>
                other === name ? checked : props.value.includes(other),
              ),
            )
          }
        />
      ))}
    </div>
  );
}

export function QueueEditor(props: {
  readonly value: 'priority' | 'classic';
  readonly onSave: Save;
}): ReactNode {
  const { t } = useI18n();
  return (
    <Segmented<'priority' | 'classic'>
      label={t('profile.field.queue')}
      value={props.value}
      options={[
        { value: 'priority', label: t('profile.field.queue.priority') },
        { value: 'classic', label: t('profile.field.queue.classic') },
      ]}
      onChange={(kind) => void props.onSave(kind)}
    />
  );
}

export function NumberEditor(props: { readonly value: number; readonly onSave: Save }): ReactNode {
  const { t } = useI18n();
  const stored = `${props.value}`;
  const [draft, setDraft] = useDraft(stored);
  const valid = /^[1-9]\d{0,5}$/.test(draft.trim());
  return (
    <EditForm
      changed={draft.trim() !== stored}
      invalid={valid ? undefined : t('profile.number.invalid')}
      onSave={() => void props.onSave(Number(draft.trim()))}
      onReset={() => setDraft(stored)}
    >
      <TextField
        className="profileNumber"
        inputMode="numeric"
        changed={draft.trim() !== stored}
        invalid={!valid}
        label={t('profile.field.maxConcurrentReconciles')}
        value={draft}
        onChange={setDraft}
      />
    </EditForm>
  );
}
