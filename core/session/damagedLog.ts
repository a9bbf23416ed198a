/**
 * DamagedLog: what a log gives back is not what was written, or cannot be read any more (a bit that flipped, a disk that is
 * gone). Thrown by every reader of a log; whoever opens a session to look at it makes a sentence of it.
 */
export class DamagedLog extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'DamagedLog';
  }
}
