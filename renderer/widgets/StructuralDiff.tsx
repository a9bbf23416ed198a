import { type ReactNode, useState } from 'react';
import type { DiffRow, Writer } from '../../shared/contract/views/objects.ts';
import { useI18n } from '../i18n/i18n.tsx';
import './structuralDiff.css';

export interface DiffGroup {
  /** The path all rows share, empty for fields of the object itself. */
  readonly parent: string;
  readonly owner: Writer | undefined;
  readonly takenFrom: string | undefined;
  readonly rows: readonly (DiffRow & { readonly leaf: string })[];
}

/** One row per leaf, grouped by parent and writer; bookkeeping folded behind its count (ui.md, "Diff"). */
export function StructuralDiff({ rows }: { readonly rows: readonly DiffRow[] }): ReactNode {
  const { t } = useI18n();
  const [unfolded, setUnfolded] = useState(false);
  const plain = rows.filter((row) => !row.bookkeeping);
  const folded = rows.filter((row) => row.bookkeeping);
  return (
    <div className="diff">
      {plain.length === 0 && (
        <p className="small tertiary">{t(folded.length > 0 ? 'diff.onlyBookkeeping' : 'diff.none')}</p>
      )}
      {groupDiff(plain).map((group) => (
        <Group key={`${group.parent} ${group.rows[0]?.path}`} group={group} />
      ))}
      {folded.length > 0 && (
        <button
          type="button"
          className="diffFold small tertiary"
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
        >
          {t(unfolded ? 'diff.fold' : 'diff.unfold', { n: folded.length })}
        </button>
      )}
      {unfolded &&
        groupDiff(folded).map((group) => (
          <Group key={`${group.parent} ${group.rows[0]?.path}`} group={group} />
        ))}
    </div>
  );
}

function Group({ group }: { readonly group: DiffGroup }): ReactNode {
  const { t } = useI18n();
  return (
    <section className="diffGroup">
      <div className="diffHead">
        <span className="mono diffParent">{group.parent}</span>
        {group.owner !== undefined && <OwnerChip writer={group.owner} takenFrom={group.takenFrom} />}
      </div>
      {group.rows.map((row) => (
        <div key={row.path} className="diffRow mono">
          <span className={`diffSign diffSign${signName(row.sign)}`}>
            <span aria-hidden="true">{row.sign === '-' ? '−' : row.sign}</span>
            <span className="visuallyHidden">{t(`diff.sign.${signName(row.sign)}`)}</span>
          </span>
          <span className="diffLeaf">{row.leaf}</span>
          <span className="diffValues">
            {row.old !== undefined && (
              <span className="tertiary">
                {row.old}
                {row.new !== undefined && ' →'}
              </span>
            )}
            {row.new !== undefined && <span className="diffNew">{row.new}</span>}
          </span>
        </div>
      ))}
    </section>
  );
}

export function OwnerChip(props: {
  readonly writer: Writer;
  readonly takenFrom?: string | undefined;
}): ReactNode {
  const { t } = useI18n();
  const { writer, takenFrom } = props;
  const name =
    writer.subresource === undefined ? writer.manager : `${writer.manager} · ${writer.subresource}`;
  const title = `${name}, ${writer.operation}${writer.time === undefined ? '' : `, ${writer.time}`}`;
  return (
    <span className="ownerChip" title={title}>
      {takenFrom === undefined ? name : t('diff.takes', { manager: name, from: takenFrom })}
    </span>
  );
}

function signName(sign: DiffRow['sign']): 'Added' | 'Removed' | 'Changed' {
  return sign === '+' ? 'Added' : sign === '-' ? 'Removed' : 'Changed';
}

/** Neighbouring rows of one parent and one writer stand under one head. */
export function groupDiff(rows: readonly DiffRow[]): readonly DiffGroup[] {
  const groups: { -readonly [K in keyof DiffGroup]: DiffGroup[K] }[] = [];
  for (const row of rows) {
    const [parent, leaf] = splitPath(row.path);
    const last = groups.at(-1);
    const same =
      last !== undefined &&
      last.parent === parent &&
      last.owner?.manager === row.owner?.manager &&
      last.owner?.subresource === row.owner?.subresource &&
      last.takenFrom === row.takenFrom;
    if (same) last.rows = [...last.rows, { ...row, leaf }];
    else groups.push({ parent, owner: row.owner, takenFrom: row.takenFrom, rows: [{ ...row, leaf }] });
  }
  return groups;
}

/** `status.conditions[Ready].status` → `status.conditions[Ready]`, `status`. Dots inside brackets do not count. */
export function splitPath(path: string): readonly [parent: string, leaf: string] {
  let depth = 0;
  for (let at = path.length - 1; at > 0; at -= 1) {
    const char = path[at];
    if (char === ']') depth += 1;
    else if (char === '[') depth -= 1;
    if (depth === 0 && char === '.') return [path.slice(0, at), path.slice(at + 1)];
    if (depth === 0 && char === '[') return [path.slice(0, at), path.slice(at)];
  }
  return ['', path];
}
