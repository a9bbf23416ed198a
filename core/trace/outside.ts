/** Writes of the operator that belong to no run of a key, and why. Spec: docs/spec/traces.md [TR27] */
import type { TraceWrite } from '../../shared/model/trace.ts';
import type { WriteEvidence } from './traceTypes.ts';

export function outsideWrite(piece: WriteEvidence): { readonly write: TraceWrite; readonly why: string } {
  const write: TraceWrite = { at: piece.at, seq: piece.seq, ...piece.write, basis: piece.basis };
  return { write, why: whyOutside(piece.write.subject) };
}

function whyOutside(subject: string): string {
  const kind = subject.slice(0, subject.indexOf('/'));
  if (kind === 'Lease') return 'A Lease is renewed by the leader election, not by a reconcile.';
  if (kind.endsWith('Review')) return 'Reviews are asked for by servers of the process, not by a reconcile.';
  if (kind === 'Event') return 'Events are sent by a recorder of the process.';
  return 'Nothing says which key it was for.';
}
