/**
 * Links to a moment: `loopscope://open?session=NAME&object=KEY&tab=timeline&seq=160418&at=1757600000000`. They name a
 * session by the file's name, never by its path, and a record by its seq (bookmarks name records, not indexes).
 */

export interface MomentLink {
  /** File name of a session; absent: whatever is shown. */
  readonly session?: string;
  /** Object key. */
  readonly object?: string;
  readonly tab?: string;
  /** Record. */
  readonly seq?: number;
  /** Reconcile, by its id. */
  readonly span?: string;
  /** ms since the epoch. */
  readonly at?: number;
}

export const linkScheme = 'loopscope';

export function printMomentLink(link: MomentLink): string {
  const fields = (['session', 'object', 'tab', 'seq', 'span', 'at'] as const).flatMap((field) => {
    const value = link[field];
    return value === undefined ? [] : [`${field}=${encodeURIComponent(value)}`];
  });
  return `${linkScheme}://open?${fields.join('&')}`;
}

/** undefined when it is no link of ours. Fields with wrong values are left out: the rest still leads somewhere. */
export function parseMomentLink(text: string): MomentLink | undefined {
  const match = /^loopscope:\/\/open\/?\?(.*)$/.exec(text.trim());
  if (match === null) return undefined;
  const query = new Map((match[1] ?? '').split('&').map(splitField));
  const named = (field: string) => {
    const value = query.get(field);
    return value === undefined || value === '' || value.length > 500 ? undefined : value;
  };
  const whole = (field: string) => {
    const value = Number(query.get(field) ?? Number.NaN);
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  };
  const session = named('session');
  const object = named('object');
  const tab = named('tab');
  const seq = whole('seq');
  const span = named('span');
  const at = whole('at');
  return {
    // A name, never a path: a link must not make us read files elsewhere.
    ...(session === undefined || /[\\/]|^\.+$/.test(session) ? {} : { session }),
    ...(object === undefined ? {} : { object }),
    ...(tab === undefined ? {} : { tab }),
    ...(seq === undefined ? {} : { seq }),
    ...(span === undefined ? {} : { span }),
    ...(at === undefined ? {} : { at }),
  };
}

function splitField(field: string): [string, string] {
  const [name = '', ...value] = field.split('=');
  return [name, decode(value.join('='))];
}

/** A value that is not well encoded counts as absent. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
