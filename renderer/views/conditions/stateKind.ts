/** Which sentence tells the state of an object, and in which ink. Pure. */
export type StateKind = 'deleting' | 'held' | 'good' | 'stuck' | 'bad';

/** A good value is green only where it is known to hold now: not while it cannot be updated, nor while the object goes. */
export function stateKind(about: {
  readonly good: boolean;
  readonly unknown: boolean;
  readonly deleting: boolean;
  /** Status writes are refused. */
  readonly held: boolean;
  /** It is known how long others take. */
  readonly usual: boolean;
}): { readonly kind: StateKind; readonly ink: string } {
  if (!about.good)
    return { kind: about.usual ? 'stuck' : 'bad', ink: about.unknown ? 'inkUnknown' : 'inkFailed' };
  if (about.deleting) return { kind: 'deleting', ink: 'inkUnknown' };
  return about.held ? { kind: 'held', ink: 'inkDegraded' } : { kind: 'good', ink: 'inkOk' };
}
