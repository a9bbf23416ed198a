import { CornerDownLeft, History, Link, Timer } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EventRow, ObjectRefView } from '../../shared/contract/views/objects.ts';
import { type ObjectKey, parseObjectKey } from '../../shared/model/ids.ts';
import { formatTimeMs } from '../format/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { activeKeys, hostOf } from '../state/keys.ts';
import { useWindow } from '../state/useWindow.tsx';
import { Cut } from '../widgets/Cut.tsx';
import { Kbd } from '../widgets/controls.tsx';
import { StateGlyph } from '../widgets/StateGlyph.tsx';
import type { Entry } from './usePaletteEntries.ts';

/** One line of the palette: what it is, and at the end what helps to choose it. */
export function PaletteLine({ entry }: { readonly entry: Entry }): ReactNode {
  const { t, number } = useI18n();
  const preferences = useWindow((s) => s.preferences);
  switch (entry.kind) {
    case 'command':
      return (
        <>
          <Cut text={t(entry.command.title)} />
          <span className="paletteEnd">
            {activeKeys(entry.command, preferences, hostOf()).map((keys) => (
              <Kbd key={keys} keys={keys} />
            ))}
          </span>
        </>
      );
    case 'object': {
      const { object, deleted, versions } = entry.hit;
      return (
        <>
          <ObjectText kind={object.kind} namespace={object.namespace} name={object.name} />
          <span className="paletteEnd small tertiary">
            {deleted ? t('palette.deleted') : t('palette.versions', { n: versions })}
          </span>
        </>
      );
    }
    case 'key': {
      const { row } = entry;
      const kind = parseObjectKey(row.object as ObjectKey).kind;
      return (
        <>
          <ObjectText kind={kind} namespace={row.namespace} name={row.name} />
          <span className="paletteEnd small tertiary">
            <StateGlyph state={row.health} size={12} />
            {t(`health.${row.health}`)}
          </span>
        </>
      );
    }
    case 'place': {
      const { tab, object } = entry.place;
      const parts = object === undefined ? undefined : parseObjectKey(object as ObjectKey);
      return (
        <>
          {parts === undefined ? (
            <Cut text={t(`tab.${tab}`)} />
          ) : (
            <ObjectText kind={parts.kind} namespace={parts.namespace} name={parts.name} />
          )}
          <span className="paletteEnd small tertiary">
            <History size={12} strokeWidth={1.75} aria-hidden="true" />
            {parts === undefined ? '' : t(`tab.${tab}`)}
          </span>
        </>
      );
    }
    case 'record':
      return (
        <>
          <span>
            {t('palette.record', { n: entry.seq })}{' '}
            {entry.near?.seq === entry.seq && (
              <span className="small tertiary">
                {t('palette.record.at', { time: formatTimeMs(entry.near.at) })}
              </span>
            )}
          </span>
          <span className="paletteEnd small tertiary">
            {entry.near === undefined
              ? t('palette.record.none')
              : entry.near.seq === entry.seq
                ? eventWords(entry.near)
                : t('palette.record.near', { n: number(entry.near.seq) })}
          </span>
        </>
      );
    case 'time':
      return (
        <>
          <span className="paletteIcon">
            <Timer size={14} strokeWidth={1.75} aria-hidden="true" />
            {t(entry.near === undefined ? 'palette.moment' : 'palette.moment.before', {
              time: formatTimeMs(entry.at).slice(0, 8),
            })}
          </span>
          <span className="paletteEnd small tertiary">
            {entry.near === undefined ? '' : t('palette.record', { n: entry.near.seq })}
          </span>
        </>
      );
    case 'link':
      return (
        <>
          <span className="paletteIcon">
            <Link size={14} strokeWidth={1.75} aria-hidden="true" />
            {t(entry.link === undefined ? 'palette.link.broken' : 'palette.link')}
          </span>
          <span className="paletteEnd">
            {entry.link !== undefined && <CornerDownLeft size={14} strokeWidth={1.75} aria-hidden="true" />}
          </span>
        </>
      );
  }
}

function ObjectText(props: Pick<ObjectRefView, 'kind' | 'namespace' | 'name'>): ReactNode {
  const { kind, namespace, name } = props;
  return (
    <span className="cut" title={`${kind} ${namespace}/${name}`}>
      <span className="tertiary">{kind} </span>
      {namespace !== '' && <span className="tertiary">{namespace}/</span>}
      <span className="strong">{name}</span>
    </span>
  );
}

function eventWords(row: EventRow): string {
  const object = row.about ?? row.object;
  return object === undefined ? row.summary : `${object.kind} ${object.name}`;
}
