import { type ReactNode, useRef } from 'react';
import type { SessionRow } from '../../../shared/contract/views/sessions.ts';
import { useAction } from '../../client/useEngine.tsx';
import { formatBytes } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWallNow } from '../../state/clock.ts';
import { Button } from '../../widgets/controls.tsx';
import { Dialog } from '../../widgets/Dialog.tsx';
import { ProblemLine } from '../../widgets/parts.tsx';
import { lengthOf, lengthWords, whenWords } from './sessionWords.ts';

/** Says what is lost before a session goes; a refusal stays in the dialog. */
export function DeleteDialog(props: {
  readonly row: SessionRow | undefined;
  readonly onClose: () => void;
  /** What has the focus once the session, and the button that asked, are gone. */
  readonly after?: () => HTMLElement | null;
}): ReactNode {
  const { t } = useI18n();
  const deleted = useRef(false);
  const action = useAction('session.delete');
  const { row } = props;
  function close() {
    action.clear();
    props.onClose();
  }
  async function remove(id: string) {
    const answer = await action.run({ id });
    if (answer?.ok !== true) return;
    deleted.current = true;
    close();
  }
  return (
    <Dialog
      open={row !== undefined}
      onClose={close}
      title={t('sessions.delete.title', { name: row?.name ?? '' })}
      className="dialogSmall"
      finalFocus={() => {
        const gone = deleted.current;
        deleted.current = false;
        return gone ? (props.after?.() ?? null) : null;
      }}
      foot={
        <>
          <Button kind="quiet" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button
            className="danger"
            disabled={action.running}
            onClick={() => {
              if (row !== undefined) void remove(row.id);
            }}
          >
            {t('sessions.delete.do')}
          </Button>
        </>
      }
    >
      {row !== undefined && <WhatIsLost row={row} />}
      {action.problem !== undefined && <ProblemLine text={action.problem.message} />}
    </Dialog>
  );
}

/** Exported for tests. */
export function WhatIsLost({ row }: { readonly row: SessionRow }): ReactNode {
  const i18n = useI18n();
  const { t } = i18n;
  const when = whenWords(row.startedAt, useWallNow(1000), i18n);
  const size = formatBytes(row.bytes);
  const text =
    row.state === 'unreadable'
      ? t('sessions.delete.lostUnreadable', { size, when })
      : t('sessions.delete.lost', { n: row.records, length: lengthWords(lengthOf(row), i18n), when, size });
  return (
    <p className="secondary">
      {text} {row.kept && t('sessions.delete.kept')}
    </p>
  );
}
