/**
 * The output of a child process as a feed of the engine. A child speaks before there is a session, and a session may be
 * opened anew: what was said is kept (bounded) and told again to each session, with the time it was received.
 */

import type { FeedLine, FeedSink } from '../core/engine/host.ts';
import { type Disposable, toDisposable } from '../shared/base/disposable.ts';

/** Characters of output kept for sessions to come. */
const keptCharacters = 8 * 1024 * 1024;

export interface ChildFeed {
  /** For FeedSpec. */
  start(sink: FeedSink): Disposable;
  lines(lines: readonly FeedLine[]): void;
  gap(text: string, at: number): void;
  /** The child ended: no more lines. */
  end(detail: string): void;
}

export function createChildFeed(label: string): ChildFeed {
  const kept: FeedLine[] = [];
  let characters = 0;
  let forgotten = 0;
  let ended: string | undefined;
  let sink: FeedSink | undefined;

  return {
    start(next) {
      sink = next;
      next.state('live', label);
      if (forgotten > 0)
        next.gap(
          `the first ${forgotten} lines were said before this session and are not kept`,
          kept[0]?.receivedAt ?? 0,
        );
      if (kept.length > 0) next.lines(kept);
      if (ended !== undefined) next.state('ended', ended);
      return toDisposable(() => {
        if (sink === next) sink = undefined;
      });
    },
    lines(lines) {
      for (const line of lines) {
        kept.push(line);
        characters += line.text.length;
      }
      // Drops in bulk, so that a chatty child does not shift the list for each line.
      if (characters > keptCharacters) {
        let drop = 0;
        while (characters > keptCharacters / 2 && drop < kept.length)
          characters -= kept[drop++]?.text.length ?? 0;
        kept.splice(0, drop);
        forgotten += drop;
      }
      sink?.lines(lines);
    },
    gap: (text, at) => sink?.gap(text, at),
    end(detail) {
      ended = detail;
      sink?.state('ended', detail);
    },
  };
}
