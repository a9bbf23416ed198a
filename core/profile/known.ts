/** Small builders for values that carry how they are known, and the defaults of a controller. */
import type { ControllerProfile, Known } from '../../shared/model/profile.ts';

export function inferred<T>(value: T, by: string, why: string, because: readonly number[] = []): Known<T> {
  return { value, basis: { kind: 'inferred', by: `profile/${by}`, because }, why };
}

export function observed<T>(value: T, why: string): Known<T> {
  return { value, basis: { kind: 'observed', from: 'watch' }, why };
}

export function reported<T>(value: T, from: 'log' | 'metrics', why: string): Known<T> {
  return { value, basis: { kind: 'reported', from }, why };
}

/** Set by the user, in the app or by a file. */
export function edited<T>(value: T, why: string): Known<T> {
  return { value, basis: { kind: 'observed', from: 'file' }, why, edited: true };
}

/** A controller of which only its For kind is known; everything else is what controller-runtime does unless told. */
export function defaultController(name: string, forKind: Known<string>): ControllerProfile {
  return {
    name,
    for: forKind,
    owns: inferred([], 'default', 'No owned kind is known yet.'),
    watches: inferred([], 'default', 'No other watched kind is known yet.'),
    predicates: inferred([], 'default', 'No predicate is assumed: every event of the kind queues its key.'),
    queue: inferred('priority', 'default', 'controller-runtime uses its priority queue since v0.23.'),
    limiter: inferred({ type: 'default' }, 'default', 'The default limiter of the queue kind.'),
    maxConcurrentReconciles: inferred(
      1,
      'default',
      'controller-runtime runs one worker unless told otherwise.',
    ),
  };
}
