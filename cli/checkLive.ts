/** `loopscope check` without TARGET: what watching the cluster for a while shows is judged. */
import type { ParsedArgs } from './args.ts';
import { fail, finish } from './check.ts';
import type { Io } from './io.ts';
import { everyRule } from './output.ts';
import { watchLive } from './watchLive.ts';

export function checkLive(args: ParsedArgs, io: Io): Promise<number> {
  return watchLive(args, io, {
    fail: (problem) => fail(problem, io),
    use({ node, session, unfinished }) {
      session.verdicts.judgeNow();
      const { findings, notEvaluated } = session.verdicts.findings();
      const missing = unfinished.map((reason) => ({ rule: everyRule, reason }));
      const report = {
        asOf: new Date(node.host.clock.now()).toISOString(),
        findings,
        notEvaluated: [...missing, ...notEvaluated],
      };
      return finish(report, args, io);
    },
  });
}
