/** `loopscope start`: the window, until Ctrl-C. */
import type { ParsedArgs } from './args.ts';
import { fail } from './check.ts';
import { attachFeeds, chosenContext, openEngine } from './engine.ts';
import { exitCode } from './exitCodes.ts';
import type { Io } from './io.ts';
import { offerFurtherLinks, openWindow } from './window.ts';

export async function runStart(args: ParsedArgs, io: Io): Promise<number> {
  // With a context named, the window connects by itself; else it shows what there is to choose.
  const node = openEngine(args, io, {
    record: 'file',
    autoConnect: args.has('context') || args.has('namespace'),
  });
  const interrupted = new Promise<void>((resolve) => {
    let asked = false;
    io.onInterrupt(() => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    });
  });
  const say = (line: string) => io.out(`${line}\n`);
  try {
    if (args.has('context')) {
      const context = chosenContext(node, args);
      if (!context.ok) return fail(context.error, io);
    }
    const attached = await attachFeeds(node, args);
    if (!attached.ok) return fail(attached.error, io);
    const window = await openWindow(node, args, io, say);
    if (!window.ok) return fail(window.error, io);
    const stopOffering = offerFurtherLinks(window.value, io, say);
    await interrupted;
    stopOffering();
    await window.value.close();
    return exitCode.clean;
  } finally {
    node.engine.dispose();
  }
}
