import { type ReactNode, useMemo, useState } from 'react';
import type { ObjectHistory, ObjectVersion } from '../../../shared/contract/views/objects.ts';
import { useCall } from '../../client/useCall.ts';
import { formatTime, formatTimeMs } from '../../format/format.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { useWindow, useWindowStore } from '../../state/useWindow.tsx';
import type { HistoryMode } from '../../state/windowState.ts';
import { CopyButton } from '../../widgets/Copy.tsx';
import { Select } from '../../widgets/controls.tsx';
import { KeyValue, ProblemLine, Section, Skeleton } from '../../widgets/parts.tsx';
import { OwnerChip } from '../../widgets/StructuralDiff.tsx';
import { Yaml } from '../../widgets/Yaml.tsx';
import { ChangeDiff } from '../events/EventInspector.tsx';
import { writerName } from '../objectWords.tsx';
import { RecordRunLinks } from '../traces/RunLink.tsx';

export interface VersionInspectorProps {
  readonly history: ObjectHistory;
  readonly version: ObjectVersion;
  readonly mode: HistoryMode;
}

export function VersionInspector(props: VersionInspectorProps): ReactNode {
  const { t, number } = useI18n();
  const { version, mode } = props;
  const written = version.op === 'added' || version.op === 'modified' || version.op === 'deleted';
  return (
    <>
      <div className="inspectorHead">
        <h2 className="title">{t(written ? 'timeline.write' : 'timeline.found')}</h2>
        <span className="inspectorEnd mono">{formatTimeMs(version.at.hi)}</span>
      </div>
      <Section>
        <KeyValue
          items={[
            [
              t('timeline.column.writers'),
              version.writers.length === 0 ? (
                <span key="none" className="tertiary">
                  {t('timeline.noWriter')}
                </span>
              ) : (
                <span key="writers" className="writerChips">
                  {version.writers.map((writer) => (
                    <OwnerChip key={`${writerName(writer)} ${writer.operation}`} writer={writer} />
                  ))}
                </span>
              ),
            ],
            [
              t('timeline.rv'),
              <span key="rv" className="mono">
                {version.resourceVersion}
              </span>,
            ],
            [
              t('timeline.uid'),
              <span key="uid" className="mono">
                {version.uid}
              </span>,
            ],
            [t('events.inspect.record'), number(version.seq)],
          ]}
        />
        <RecordRunLinks seq={version.seq} />
        {version.afterGap && <p className="small inkGap gapNote">{t('timeline.afterGap')}</p>}
      </Section>
      {mode === 'diff' ? <DiffPart {...props} /> : <DocumentPart version={version} mode={mode} />}
    </>
  );
}

function DiffPart({ history, version }: VersionInspectorProps): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const against = useWindow((s) => s.against);
  const others = history.versions.filter((other) => other.seq !== version.seq);
  const first = history.versions[0]?.seq === version.seq;
  const from = others.some((other) => other.seq === against) ? against : undefined;
  return (
    <Section
      title={t('events.inspect.change')}
      end={
        others.length === 0 ? undefined : (
          <Select
            label={t('timeline.against')}
            value={from === undefined ? '' : `${from}`}
            options={[
              { value: '', label: t('timeline.against.before') },
              ...[...others].reverse().map((other) => ({
                value: `${other.seq}`,
                label: t('timeline.against.other', {
                  time: formatTime(other.at.hi),
                  rv: other.resourceVersion,
                }),
              })),
            ]}
            onChange={(value) => store.setState({ against: value === '' ? undefined : Number(value) })}
          />
        )
      }
    >
      {first && from === undefined ? (
        <p className="small tertiary">{t('timeline.first')}</p>
      ) : (
        <ChangeDiff seq={version.seq} from={from} />
      )}
    </Section>
  );
}

function DocumentPart(props: {
  readonly version: ObjectVersion;
  readonly mode: 'yaml' | 'owners';
}): ReactNode {
  const { t } = useI18n();
  const document = useCall('object.document', { seq: props.version.seq });
  if (document.state === 'failed') {
    return (
      <Section>
        <ProblemLine text={t('state.failed', { why: document.error ?? '' })} />
      </Section>
    );
  }
  if (document.value === undefined) return <Skeleton lines={8} />;
  if (props.mode === 'owners') return <Owners owners={document.value.owners} />;
  return (
    <Section title={t('timeline.yaml')} end={<CopyButton kind="plain" text={document.value.yaml} />}>
      {document.value.metadataOnly && <p className="small tertiary diffNote">{t('timeline.metadata.why')}</p>}
      <Yaml text={document.value.yaml} label={t('timeline.yaml')} />
    </Section>
  );
}

type FieldOwner = Readonly<{ path: string; owners: ObjectVersion['writers'] }>;

function Owners({ owners }: { readonly owners: readonly FieldOwner[] }): ReactNode {
  const { t } = useI18n();
  const [manager, setManager] = useState('');
  const managers = useMemo(() => {
    const names = owners.flatMap((field) => field.owners.map((owner) => owner.manager));
    return [...new Set(names)].sort();
  }, [owners]);
  const shown = owners.filter(
    (field) => manager === '' || field.owners.some((owner) => owner.manager === manager),
  );
  if (owners.length === 0) {
    return (
      <Section title={t('timeline.owners')}>
        <p className="small tertiary">{t('timeline.owners.none')}</p>
      </Section>
    );
  }
  return (
    <Section
      title={t('timeline.owners')}
      end={
        <Select
          label={t('timeline.owners.who')}
          value={manager}
          options={[
            { value: '', label: t('timeline.owners.all') },
            ...managers.map((name) => ({ value: name, label: name })),
          ]}
          onChange={setManager}
        />
      }
    >
      <table className="ownersTable">
        <thead>
          <tr>
            <th scope="col">{t('timeline.owners.path')}</th>
            <th scope="col">{t('timeline.owners.who')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((field) => (
            <tr key={field.path}>
              <td className="mono">{field.path}</td>
              <td>
                <span className="writerChips">
                  {field.owners.map((owner) => (
                    <OwnerChip key={`${writerName(owner)} ${owner.operation}`} writer={owner} />
                  ))}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
