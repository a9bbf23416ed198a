/** Words that findings share. Style: short, factual; the object, the number, the time. */
import type { Identity } from '../../../shared/model/profile.ts';

/** `ServiceAccount/ns/name`; a user who is none is `User/-/name`. */
export function subjectOf(identity: Identity): string {
  const account = identity.serviceAccount;
  return account === undefined
    ? `User/-/${identity.user}`
    : `ServiceAccount/${account.namespace}/${account.name}`;
}

export function countWord(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  if (words.length <= 1) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** ` at 09:00:00` or ` from 09:00:00 to 09:02:44` (UTC), empty without a time; decimals are never added. */
export function clockRange(from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined) return '';
  const [start, end] = [clock(from), clock(to)];
  return start === end ? ` at ${start}` : ` from ${start} to ${end}`;
}

function clock(time: string): string {
  return /T(\d\d:\d\d:\d\d)/.exec(time)?.[1] ?? time;
}
