import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { Operators, ProfileEdit } from '../../../shared/contract/views/operators.ts';
import type { ControllerProfile, Known, OperatorProfile } from '../../../shared/model/profile.ts';
import { useAction, useValueOf } from '../../client/useEngine.tsx';
import type { MessageKey } from '../../i18n/catalogue.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { countBasis, useController } from '../../state/useOperator.ts';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import { BasisMark } from '../../widgets/BasisMark.tsx';
import { Button, Pill } from '../../widgets/controls.tsx';
import { Dialog } from '../../widgets/Dialog.tsx';
import { ProblemLine } from '../../widgets/parts.tsx';
import { type Unsaved, UnsavedContext } from './EditForm.tsx';
import {
  ListEditor,
  NumberEditor,
  PredicatesEditor,
  QueueEditor,
  TextEditor,
  WatchesEditor,
} from './editors.tsx';
import { LimiterEditor } from './LimiterEditor.tsx';
import './profile.css';

/** Every entry of the profile with how it is known, and its editor. */
export function ProfileDialog(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const open = useWindow((s) => s.profileOpen);
  const operators = useValueOf('operators', {}, (s) => s.value);
  const profile = operators?.profile;
  const [asking, setAsking] = useState(false);
  // No state: Esc may come before another render.
  const unsavedIds = useRef(new Set<string>());
  const unsaved = useMemo<Unsaved>(
    () => ({
      set(id, holds) {
        if (holds) unsavedIds.current.add(id);
        else unsavedIds.current.delete(id);
        // The next edit is asked about anew.
        setAsking(false);
      },
    }),
    [],
  );
  function discard() {
    setAsking(false);
    store.setState({ profileOpen: false });
  }
  return (
    <Dialog
      open={open}
      onClose={() => (unsavedIds.current.size > 0 && !asking ? setAsking(true) : discard())}
      foot={
        asking ? (
          <>
            <span className="small profileAsk" role="alert">
              {t('profile.unsaved')}
            </span>
            <Button onClick={() => setAsking(false)}>{t('profile.unsaved.keep')}</Button>
            <Button kind="primary" onClick={discard}>
              {t('profile.unsaved.discard')}
            </Button>
          </>
        ) : undefined
      }
      className="profileDialog"
      title={profile === undefined ? t('profile.none.title') : t('profile.title', { name: profile.name })}
      subtitle={profile === undefined ? undefined : <Counts profile={profile} />}
    >
      {profile === undefined ? (
        <p className="secondary">{t('profile.none')}</p>
      ) : (
        <UnsavedContext value={unsaved}>
          <Body profile={profile} operators={operators} />
        </UnsavedContext>
      )}
    </Dialog>
  );
}

function Counts({ profile }: { readonly profile: OperatorProfile }): ReactNode {
  const { t } = useI18n();
  const { observed, inferred, set } = countBasis(profile);
  return set === 0
    ? t('profile.counts', { observed, n: inferred })
    : t('profile.counts.set', { observed, n: inferred, set });
}

function Body(props: {
  readonly profile: OperatorProfile;
  readonly operators: Operators | undefined;
}): ReactNode {
  const { t } = useI18n();
  const current = useController();
  const { profile, operators } = props;
  const [chosen, setChosen] = useState<string>(current?.name ?? '');
  const controller = profile.controllers.find((item) => item.name === chosen);
  return (
    <>
      <p className="small secondary profileExplain">
        {t('profile.explain')}{' '}
        {operators?.profileFile === undefined
          ? t('profile.noFile')
          : t('profile.file', { file: operators.profileFile })}
      </p>
      {operators?.problems.map((problem) => (
        <ProblemLine key={problem} text={problem} />
      ))}
      <div className="profileColumns">
        <div
          className="profileParts"
          role="tablist"
          aria-orientation="vertical"
          aria-label={t('profile.controller')}
        >
          {['', ...profile.controllers.map((item) => item.name)].map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === chosen}
              className="profilePart cut"
              title={name}
              onClick={() => setChosen(name)}
            >
              {name === '' ? t('profile.operator') : name}
            </button>
          ))}
        </div>
        <div
          className="profileEntries"
          role="tabpanel"
          aria-label={chosen === '' ? t('profile.operator') : chosen}
        >
          {controller === undefined ? (
            <OperatorEntries profile={profile} />
          ) : (
            <ControllerEntries key={controller.name} controller={controller} />
          )}
        </div>
      </div>
    </>
  );
}

function OperatorEntries({ profile }: { readonly profile: OperatorProfile }): ReactNode {
  return (
    <>
      <Entry field="serviceAccount" known={profile.identity}>
        {(save) => <TextEditor field="serviceAccount" value={profile.identity.value.user} onSave={save} />}
      </Entry>
      <Entry field="fieldManagers" known={profile.fieldManagers}>
        {(save) => <ListEditor field="fieldManagers" value={profile.fieldManagers.value} onSave={save} />}
      </Entry>
      {profile.workload !== undefined && (
        <Entry title="profile.field.workload" known={profile.workload}>
          {() => <code>{profile.workload?.value}</code>}
        </Entry>
      )}
      {profile.lease !== undefined && (
        <Entry title="profile.field.lease" known={profile.lease}>
          {() => <code>{profile.lease?.value}</code>}
        </Entry>
      )}
    </>
  );
}

function ControllerEntries({ controller }: { readonly controller: ControllerProfile }): ReactNode {
  const { name } = controller;
  return (
    <>
      <Entry field="for" controller={name} known={controller.for}>
        {(save) => <TextEditor field="for" value={controller.for.value} onSave={save} />}
      </Entry>
      <Entry field="queue" controller={name} known={controller.queue}>
        {(save) => <QueueEditor value={controller.queue.value} onSave={save} />}
      </Entry>
      <Entry field="limiter" controller={name} known={controller.limiter}>
        {(save) => <LimiterEditor value={controller.limiter.value} onSave={save} />}
      </Entry>
      <Entry field="maxConcurrentReconciles" controller={name} known={controller.maxConcurrentReconciles}>
        {(save) => <NumberEditor value={controller.maxConcurrentReconciles.value} onSave={save} />}
      </Entry>
      <Entry field="predicates" controller={name} known={controller.predicates}>
        {(save) => <PredicatesEditor value={controller.predicates.value} onSave={save} />}
      </Entry>
      <Entry field="owns" controller={name} known={controller.owns}>
        {(save) => <ListEditor field="owns" value={controller.owns.value} onSave={save} />}
      </Entry>
      <Entry field="watches" controller={name} known={controller.watches}>
        {(save) => <WatchesEditor value={controller.watches.value} onSave={save} />}
      </Entry>
    </>
  );
}

/** True when the engine took the value. */
export type Save = (value: ProfileEdit['value']) => Promise<boolean>;

interface EntryProps {
  readonly field?: ProfileEdit['field'];
  readonly title?: MessageKey;
  readonly controller?: string;
  readonly known: Known<unknown>;
  readonly children: (save: Save) => ReactNode;
}

function Entry({ field, title, controller, known, children }: EntryProps): ReactNode {
  const { t } = useI18n();
  const action = useAction('profile.edit');
  async function save(value: ProfileEdit['value']): Promise<boolean> {
    if (field === undefined) return false;
    const result = await action.run({ field, value, ...(controller === undefined ? {} : { controller }) });
    return result?.ok === true;
  }
  return (
    <section className="profileEntry">
      <div className="profileEntryHead">
        <h3 className="strong">{t(title ?? (`profile.field.${field}` as MessageKey))}</h3>
        {known.edited === true ? (
          <Pill tone="neutral">{t('profile.edited')}</Pill>
        ) : (
          <BasisMark basis={known.basis} why={known.why} show="source" />
        )}
      </div>
      <p className="small tertiary profileWhy">{known.why}</p>
      {children(save)}
      {action.problem !== undefined && <ProblemLine text={action.problem.message} />}
    </section>
  );
}
