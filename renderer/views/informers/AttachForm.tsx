import { type FormEvent, type ReactNode, useState } from 'react';
import type { SourceRow } from '../../../shared/contract/views/traces.ts';
import { useAction } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { Button, TextField } from '../../widgets/controls.tsx';
import { ProblemLine, Progress } from '../../widgets/parts.tsx';
import { StateGlyph } from '../../widgets/StateGlyph.tsx';
import { SourceIcon } from './SourceIcon.tsx';

export type FormKind = 'log' | 'metrics' | 'audit';

/**
 * A file or an address, attached by what is written in the field. What is refused is said below it, and what was typed stays.
 * An audit file is followed, or read once: then the past is derived again with it.
 */
export function AttachForm(props: {
  readonly kind: FormKind;
  readonly blocked: string | undefined;
  /** Of an import that runs, the row tells how far it is. */
  readonly sources: readonly SourceRow[];
}): ReactNode {
  const { t } = useI18n();
  const { kind } = props;
  const follow = useFollow(kind);
  const importOnce = useAction('feed.importAudit');
  const [text, setText] = useState('');
  const [path, setPath] = useState('');
  const imported = props.sources.findLast((row) => row.kind === 'audit' && row.label === path);
  // It is attached at once and read in the background: what is read is told until its end.
  const importing =
    importOnce.running || (path !== '' && (imported?.state === 'live' || imported?.state === 'waiting'));
  const problem = (importOnce.problem ?? follow.problem)?.message;
  const running = follow.running || importOnce.running;
  const empty = text.trim() === '';
  const unavailable = props.blocked === undefined ? {} : { unavailable: props.blocked };
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (empty || running || props.blocked !== undefined) return;
    importOnce.clear();
    setPath('');
    if (await follow.run(text.trim())) setText('');
  }
  async function importFile() {
    follow.clear();
    setPath(text.trim());
    if ((await importOnce.run({ path: text.trim() }))?.ok === true) setText('');
    else setPath('');
  }
  return (
    <form className="attachCard" onSubmit={(event) => void submit(event)}>
      <h3 className="attachCardHead">
        <SourceIcon kind={kind} size={16} />
        <strong>{t(`sources.form.${kind}`)}</strong>
      </h3>
      <p className="small secondary">{t(`sources.gives.${kind}`)}</p>
      <div className="attachLine">
        <TextField
          mono
          small
          label={t(`sources.form.${kind}`)}
          placeholder={t(`feeds.${kind}.placeholder`)}
          value={text}
          onChange={(value) => {
            setText(value);
            follow.clear();
            importOnce.clear();
          }}
          invalid={problem !== undefined}
        />
        <Button small type="submit" disabled={empty || running} {...unavailable}>
          {t(kind === 'audit' ? 'sources.form.follow' : 'sources.attach.do')}
        </Button>
        {kind === 'audit' && (
          <Button small disabled={empty || running} {...unavailable} onClick={() => void importFile()}>
            {t('sources.form.import')}
          </Button>
        )}
      </div>
      {props.blocked !== undefined && (
        <p className="small attachWhy">
          <StateGlyph state="unknown" size={12} />
          <span>{props.blocked}</span>
        </p>
      )}
      {importing && <Importing path={path} row={imported} />}
      {problem !== undefined && <ProblemLine text={problem} />}
    </form>
  );
}

interface Follow {
  /** True when it was attached. */
  readonly run: (text: string) => Promise<boolean>;
  readonly running: boolean;
  readonly problem: { readonly message: string } | undefined;
  readonly clear: () => void;
}

function useFollow(kind: FormKind): Follow {
  const log = useAction('feed.attachLog');
  const metrics = useAction('feed.attachMetrics');
  const audit = useAction('feed.attachAudit');
  if (kind === 'metrics')
    return { ...metrics, run: async (url) => (await metrics.run({ url }))?.ok === true };
  const action = kind === 'log' ? log : audit;
  return { ...action, run: async (path) => (await action.run({ path }))?.ok === true };
}

/** How many lines of the file are read; its end ends it, or Stop does. */
function Importing(props: { readonly path: string; readonly row: SourceRow | undefined }): ReactNode {
  const { t } = useI18n();
  const stop = useAction('feed.detach');
  const { path, row } = props;
  return (
    <div className="attachImporting">
      <Progress value={undefined} label={t('sources.form.reading', { path })} />
      <div className="attachImportLine small secondary">
        <span>
          {row === undefined
            ? t('sources.form.reading', { path })
            : t('sources.form.importing', { path, n: row.records })}
        </span>
        {row !== undefined && (
          <Button small kind="quiet" disabled={stop.running} onClick={() => void stop.run({ id: row.id })}>
            {t('sources.form.stop')}
          </Button>
        )}
      </div>
    </div>
  );
}
