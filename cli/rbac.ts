/** `loopscope rbac`: what the operator needs, what it is granted, and what closes the gap between the two. */
import type { ParsedArgs } from './args.ts';
import { fail } from './check.ts';
import { exitCode } from './exitCodes.ts';
import type { Io } from './io.ts';
import { clean } from './output.ts';
import { rbacJson, rbacText } from './rbacText.ts';
import { withTarget } from './target.ts';
import { momentOfDay } from './traceDetail.ts';

export async function runRbac(args: ParsedArgs, io: Io): Promise<number> {
  return withTarget(args, io, ({ session, operator, asOf, notes }) => {
    session.verdicts.judgeNow();
    const { lens } = session.verdicts.rbac();
    if (lens === undefined)
      return fail(
        {
          code: 'no-lens',
          message: `The rights of ${operator.name} cannot be judged: roles, bindings and CRDs were not read.`,
        },
        io,
      );
    if (args.has('json')) {
      io.out(rbacJson(lens, operator.name, asOf));
      return exitCode.clean;
    }
    io.note(`${clean(operator.name)}, as of ${momentOfDay(asOf)}.`);
    for (const note of notes) io.note(`note: ${clean(note)}`);
    io.out(rbacText(lens, io.columns));
    return exitCode.clean;
  });
}
