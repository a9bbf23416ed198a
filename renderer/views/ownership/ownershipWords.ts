/** What the Ownership view says first, and what a person can do about a deletion that waits. Pure. */
import type { DeletionHold, OwnershipView } from '../../../shared/contract/views/structure.ts';

export type OwnershipVerdict =
  | { readonly kind: 'gone'; readonly at: number }
  | { readonly kind: 'stuck'; readonly hold: DeletionHold; readonly others: number }
  | { readonly kind: 'waits'; readonly hold: DeletionHold; readonly others: number }
  | { readonly kind: 'unclear'; readonly hold: DeletionHold; readonly others: number }
  | { readonly kind: 'going' }
  | { readonly kind: 'broken'; readonly count: number }
  | { readonly kind: 'wouldWait'; readonly count: number }
  | { readonly kind: 'free' };

/** A hold that nobody can lift comes first, then one of which nothing is known, then one that is being worked on. */
export function ownershipVerdict(view: OwnershipView): OwnershipVerdict {
  if (view.goneAt !== undefined) return { kind: 'gone', at: view.goneAt };
  const { holds, problems } = view;
  if (view.deletingSince === undefined) {
    if (problems.length > 0) return { kind: 'broken', count: problems.length };
    return holds.length === 0 ? { kind: 'free' } : { kind: 'wouldWait', count: holds.length };
  }
  const others = holds.length - 1;
  const stuck = holds.find(({ handlerState }) => handlerState === 'notRunning');
  if (stuck !== undefined) return { kind: 'stuck', hold: stuck, others };
  const unclear = holds.find(({ handlerState }) => handlerState === 'unknown');
  if (unclear !== undefined) return { kind: 'unclear', hold: unclear, others };
  const [waits] = holds;
  return waits === undefined ? { kind: 'going' } : { kind: 'waits', hold: waits, others };
}

/**
 * The command that takes one finalizer off: a JSON patch that first tests that the list is still as it was seen. Names
 * go into single quotes for a POSIX shell.
 */
export function removalCommand(view: OwnershipView, hold: DeletionHold): string {
  const { namespace, name, kind } = view.object;
  const path = `/metadata/finalizers/${hold.index}`;
  const patch = JSON.stringify(
    [
      { op: 'test', path, value: hold.finalizer },
      { op: 'remove', path },
    ],
    undefined,
    1,
  )
    .replace(/\n\s*/g, ' ')
    .replace('}, {', '},\n  {')
    .replace('[ {', '[{')
    .replace('} ]', '}]');
  const where = namespace === '' ? '' : `-n ${quoted(namespace)} `;
  return `kubectl ${where}patch ${quoted(view.resource ?? kind.toLowerCase())} ${quoted(name)} \\\n  --type=json -p ${shellQuoted(patch)}`;
}

function quoted(word: string): string {
  return /^[\w.:/-]+$/.test(word) ? word : shellQuoted(word);
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
