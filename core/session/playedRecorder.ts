/**
 * PlayedRecorder: gives the records of a session again, one after another, to whoever derives from them: the same door
 * as a live recorder's, the other way round. What the engine says itself meanwhile is not put on record: a prediction
 * made today of what is long past would be none.
 */
import type { Disposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { parseJson } from '../../shared/base/json.ts';
import { type RecordSeq, recordSeq } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { Fact } from './facts.ts';
import { PlayedLog } from './playedLog.ts';
import type { RecordHead, RecordInput, SessionLog } from './record.ts';
import type { Recorded, Recorder } from './recorder.ts';

export interface PlayedRecorder extends Recorder {
  readonly log: PlayedLog;
  /** The record that comes next; undefined at the end. */
  next(): RecordHead | undefined;
  /** Gives the next record: the log has it, then listeners are told of it and of each of its facts. Undefined at the end. */
  step(): RecordHead | undefined;
  /** A record comes, whether anything could be decoded of it or not. */
  onHead(listener: (head: RecordHead, facts: readonly Fact[]) => void): Disposable;
}

/** `onOwn`: what the engine would have recorded of itself. */
export function createPlayedRecorder(
  whole: SessionLog,
  onOwn: (input: RecordInput) => void = () => undefined,
): PlayedRecorder {
  const log = new PlayedLog(whole);
  const recorded = new Emitter<Recorded>();
  const came = new Emitter<{ head: RecordHead; facts: readonly Fact[] }>();
  const problems = new Emitter<{ head: RecordHead; text: string }>();
  const heads = whole.heads({ to: recordSeq(Math.max(1, whole.stats().records)) })[Symbol.iterator]();
  let ahead: RecordHead | undefined = take();

  function take(): RecordHead | undefined {
    const next = heads.next();
    return next.done === true ? undefined : next.value;
  }

  return {
    log,
    record(input) {
      onOwn(input);
      return notKept(input);
    },
    onRecorded: (listener) => recorded.on(listener),
    onProblem: (listener) => problems.on(listener),
    next: () => ahead,
    step() {
      const head = ahead;
      if (head === undefined) return undefined;
      ahead = take();
      log.advance(head);
      const facts = factsOf(log, head);
      came.emit({ head, facts });
      for (const fact of facts) recorded.emit(new PlayedFact(log, head, fact));
      return head;
    },
    onHead: (listener) => came.on(({ head, facts }) => listener(head, facts)),
  };
}

/** The facts of a record of a log. */
export function factsOf(log: SessionLog, head: RecordHead): readonly Fact[] {
  return (log.facts(head.seq) ?? []) as readonly Fact[];
}

/** A recorded fact; the object is parsed only for who asks. */
export class PlayedFact implements Recorded {
  readonly head: RecordHead;
  readonly fact: Fact;
  private readonly log: SessionLog;

  constructor(log: SessionLog, head: RecordHead, fact: Fact) {
    this.log = log;
    this.head = head;
    this.fact = fact;
  }

  get object(): KubeObject | undefined {
    if (this.fact.fact !== 'object') return undefined;
    const payload = this.log.payload(this.head.seq);
    return payload === undefined ? undefined : (parseJson(payload) as KubeObject | undefined);
  }
}

/** The head of what is not in the log: number 0. */
export function notKept(input: RecordInput): RecordHead {
  const { kind, source, at, receivedAt } = input;
  return {
    seq: 0 as RecordSeq,
    kind,
    source,
    at,
    tie: 0,
    receivedAt,
    metadataOnly: false,
    initial: false,
    late: false,
  };
}
