/** Which of several operators the files of a folder are about: a log is of one process, an audit file of its identity. */
import type { OperatorProfile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { splitResourceName } from '../profile/resourceNames.ts';
import type { Fact, LogFact } from '../session/facts.ts';
import type { SessionLog } from '../session/record.ts';

/**
 * The one operator whose controllers the log names, else the one whose requests the audit file has. Undefined where the
 * files name none of them, or more than one.
 */
export function operatorOfLines(
  log: SessionLog,
  operators: readonly OperatorProfile[],
  resolve: (name: string) => readonly ApiResource[],
): OperatorProfile | undefined {
  const kinds = new Set<string>();
  const users = new Set<string>();
  for (const head of log.heads({ kinds: ['log', 'audit'] }))
    for (const fact of (log.facts(head.seq) ?? []) as readonly Fact[]) {
      if (fact.fact === 'log') noteKind(fact, kinds);
      else if (fact.fact === 'audit') users.add(fact.entry.user);
    }
  const byLog = operators.filter(({ controllers }) =>
    controllers.some((controller) => {
      const [main] = resolve(controller.for.value);
      const { group } = splitResourceName(controller.for.value);
      return main !== undefined && (kinds.has(`${group}/${main.kind}`) || kinds.has(`?/${main.kind}`));
    }),
  );
  if (byLog.length === 1) return byLog[0];
  const rest = byLog.length === 0 ? operators : byLog;
  const byUser = rest.filter(({ identity }) => users.has(identity.value.user));
  return byUser.length === 1 ? byUser[0] : undefined;
}

function noteKind({ entry }: LogFact, kinds: Set<string>): void {
  if (entry.controllerKind !== undefined)
    kinds.add(`${entry.controllerGroup ?? '?'}/${entry.controllerKind}`);
}
