import { type FormEvent, type ReactNode, useState } from 'react';
import type { Library, SessionRow } from '../../../shared/contract/views/sessions.ts';
import { useAction } from '../../client/useEngine.tsx';
import { formatBytes } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { usePlayback } from '../../state/usePlayback.ts';
import { Button, TextField } from '../../widgets/controls.tsx';
import { ProblemLine } from '../../widgets/parts.tsx';
import { beyondRetention, parseRetention, printRetention, type RetentionText } from './retention.ts';

const named = 3;

/** How much of the past stays, and what a change of it would delete at once: said before it is done. */
export function RetentionForm(props: {
  readonly library: Library;
  readonly rows: readonly SessionRow[];
}): ReactNode {
  const { t } = useI18n();
  const { library, rows } = props;
  const action = useAction('library.setRetention');
  const shown = usePlayback()?.path;
  const [text, setText] = useState<RetentionText | undefined>(undefined);
  if (text === undefined) {
    const { keep, maxBytes } = library.retention;
    return (
      <div className="retention">
        <span className="small secondary">
          {t('sessions.retention.now', { n: keep, size: formatBytes(maxBytes) })}
        </span>
        <Button small kind="quiet" onClick={() => setText(printRetention(library.retention))}>
          {t('sessions.retention.change')}
        </Button>
      </div>
    );
  }
  const parsed = parseRetention(text);
  const bad = typeof parsed === 'string' ? parsed : undefined;
  const gone = typeof parsed === 'string' ? [] : beyondRetention(rows, parsed, shown);
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (typeof parsed === 'string') return;
    const answer = await action.run(parsed);
    if (answer?.ok === true) setText(undefined);
  }
  return (
    <form
      className="retention retentionOpen"
      aria-label={t('sessions.retention')}
      onSubmit={(event) => void submit(event)}
    >
      <div className="retentionLine">
        <span className="label">{t('sessions.retention.keep')}</span>
        <TextField
          small
          className="retentionNumber"
          inputMode="numeric"
          label={t('sessions.retention.keep')}
          value={text.keep}
          onChange={(keep) => setText({ ...text, keep })}
          invalid={bad === 'badKeep'}
        />
        <span className="label">{t('sessions.retention.size')}</span>
        <TextField
          small
          className="retentionNumber"
          inputMode="decimal"
          label={t('sessions.retention.size')}
          value={text.gigabytes}
          onChange={(gigabytes) => setText({ ...text, gigabytes })}
          invalid={bad === 'badSize'}
        />
        <Button small type="submit" kind="primary" disabled={bad !== undefined || action.running}>
          {gone.length === 0
            ? t('sessions.retention.apply')
            : t('sessions.retention.applyDelete', { n: gone.length })}
        </Button>
        <Button small kind="quiet" onClick={() => setText(undefined)}>
          {t('action.cancel')}
        </Button>
      </div>
      <p className={gone.length === 0 ? 'small secondary' : 'small inkDegraded'} role="status">
        {bad !== undefined ? t(`sessions.retention.${bad}`) : <WhatGoes rows={gone} />}
      </p>
      {action.problem !== undefined && <ProblemLine text={action.problem.message} />}
    </form>
  );
}

function WhatGoes({ rows }: { readonly rows: readonly SessionRow[] }): ReactNode {
  const { t } = useI18n();
  if (rows.length === 0) return t('sessions.retention.nothing');
  const first = rows
    .slice(0, named)
    .map((row) => row.name)
    .join(' · ');
  const more = rows.length - named;
  return t('sessions.retention.goes', {
    n: rows.length,
    size: formatBytes(rows.reduce((sum, row) => sum + row.bytes, 0)),
    names: more > 0 ? t('sessions.retention.more', { names: first, n: more }) : first,
  });
}
