/** A line of a pod's log as the kubelet gives it with `timestamps=true`: the container runtime's time, a blank, the line. */
export interface StampedLine {
  /** By the node's clock, ms since the epoch, with fractions (a double holds them to a quarter of a microsecond). */
  readonly ms: number;
  readonly text: string;
}

/** RFC 3339 with up to nine digits; the zone is the node's own. Source: kubelet kuberuntime/logs, timeFormatOut. */
const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)(?: |$)/;

/** Undefined: no line of the container, but a word of the kubelet's. */
export function parseStamped(line: string): StampedLine | undefined {
  const match = stamp.exec(line);
  if (match === null) return undefined;
  const [prefix, seconds = '', digits = '', zone = ''] = match;
  const whole = Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(whole)) return undefined;
  const ms = digits === '' ? whole : whole + Number(`0.${digits}`) * 1000;
  const text = line.slice(prefix.length);
  return { ms, text: text.endsWith('\r') ? text.slice(0, -1) : text };
}
