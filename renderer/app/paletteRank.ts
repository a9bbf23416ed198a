/** What the palette offers for a text: how well a title fits, and what the text may mean besides a name. Pure. */

/**
 * How well `title` fits `text`; 0: not at all. All words must occur: at the start of the title best, then at the start of
 * a word, then anywhere, then as first letters of words (`gtq` finds Go to Queue). Shorter titles win ties.
 */
export function rank(text: string, title: string): number {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const lower = title.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const score = rankWord(word, lower);
    if (score === 0) return 0;
    sum += score;
  }
  return sum === 0 ? 0 : sum / words.length - Math.min(9, lower.length / 20);
}

function rankWord(word: string, title: string): number {
  if (title === word) return 100;
  if (title.startsWith(word)) return 85;
  const at = title.indexOf(word);
  if (at > 0) {
    // `-` and `/` part the words of a name.
    return startsWord(title, word) ? 65 : 45;
  }
  return word.length >= 2 && initials(title).includes(word) ? 15 : 0;
}

function startsWord(title: string, word: string): boolean {
  for (let at = title.indexOf(word); at >= 0; at = title.indexOf(word, at + 1)) {
    if (at === 0 || /[\s\-/._:(]/.test(title.charAt(at - 1))) return true;
  }
  return false;
}

function initials(title: string): string {
  return title
    .split(/[\s\-/._:()]+/)
    .map((word) => word.charAt(0))
    .join('');
}

/** `160418`, `#160,418`, `record 160418`: a record's number; undefined for anything else. */
export function readRecord(text: string): number | undefined {
  const match = /^(?:record\s+|记录\s*|#)?(\d[\d,]*)$/i.exec(text.trim());
  const number = match === null ? Number.NaN : Number((match[1] as string).replaceAll(',', ''));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/**
 * What a time of day means: in a recording (`range`, ms) the last such time inside of it, wherever one is in it; live the
 * last one before `now`. undefined: no time, or none of the recording's.
 */
export function readMoment(
  text: string,
  range: { readonly from: number; readonly to: number } | undefined,
  now: number,
): number | undefined {
  const at = readTime(text, range?.to ?? now);
  return at === undefined || (range !== undefined && at < range.from) ? undefined : at;
}

/** `14:03`, `14:03:20`, `14:03:20.480`: that time of day, the last one that is not after `now`; ms, local time. */
export function readTime(text: string, now: number): number | undefined {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?$/.exec(text.trim());
  if (match === null) return undefined;
  const [hours, minutes, seconds] = [match[1], match[2], match[3] ?? '0'].map(Number) as [
    number,
    number,
    number,
  ];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const at = new Date(now);
  at.setHours(hours, minutes, seconds, Number((match[4] ?? '0').padEnd(3, '0')));
  if (at.getTime() > now) at.setDate(at.getDate() - 1);
  return at.getTime();
}
