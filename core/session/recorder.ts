/**
 * Recorder: the one door into a session. Appends a record, decodes it once, keeps the facts beside it and hands them to
 * the derivations, in that order: what a derivation saw is always on record.
 */
import type { Disposable } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import { decodeRecord } from './decode.ts';
import type { Fact } from './facts.ts';
import type { RecordHead, RecordInput, SessionLog } from './record.ts';

/** A fact and, for objects, the parsed object; the object must not be kept. */
export interface Recorded {
  readonly head: RecordHead;
  readonly fact: Fact;
  readonly object: KubeObject | undefined;
}

export interface Recorder {
  readonly log: SessionLog;
  /** `object`: the payload of an object record, where it was parsed on the way here; it is not parsed again then. */
  record(input: RecordInput, object?: KubeObject): RecordHead;
  onRecorded(listener: (recorded: Recorded) => void): Disposable;
  /** A record that could not be decoded: reported, never fatal. */
  onProblem(listener: (problem: { readonly head: RecordHead; readonly text: string }) => void): Disposable;
}

export function createRecorder(log: SessionLog): Recorder {
  const recorded = new Emitter<Recorded>();
  const problems = new Emitter<{ head: RecordHead; text: string }>();
  return {
    log,
    record(input, parsed) {
      const head = log.append(input);
      const { facts, object, problem } = decode(head, input.payload, parsed);
      if (facts.length > 0) log.putFacts(head.seq, facts);
      for (const fact of facts) recorded.emit({ head, fact, object });
      if (problem !== undefined) problems.emit({ head, text: problem });
      return head;
    },
    onRecorded: (listener) => recorded.on(listener),
    onProblem: (listener) => problems.on(listener),
  };
}

/** An object whose fields have shapes that no API server gives (a hand-made one, a broken proxy) gives no fact. */
function decode(...given: Parameters<typeof decodeRecord>): ReturnType<typeof decodeRecord> {
  try {
    return decodeRecord(...given);
  } catch (error) {
    return {
      facts: [],
      problem: `it cannot be decoded (${error instanceof Error ? error.message : 'unknown'})`,
    };
  }
}
