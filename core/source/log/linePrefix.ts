/**
 * What stands before a line where somebody else than the operator wrote it down: the container runtime, kubectl, stern,
 * compose. A prefix is taken off only where that leaves no doubt. Spec: docs/spec/logs.md [LG12]
 */
import type { TimeInterval } from '../../session/record.ts';
import { parseLogTime } from './logTime.ts';

export interface LinePrefix {
  /** When the line left the container, by the clock of its node: as fine as nanoseconds. */
  readonly at?: TimeInterval;
  readonly stream?: 'stdout' | 'stderr';
  /** The runtime cut the line here: it goes on with the next one of the same stream. */
  readonly partial?: boolean;
  readonly namespace?: string;
  readonly pod?: string;
  readonly container?: string;
}

export interface Unprefixed {
  readonly prefix: LinePrefix | undefined;
  readonly text: string;
}

const stamp = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)`;
const cri = new RegExp(`^(${stamp}) (stdout|stderr) ([FP])(?::\\S*)?(?: |$)`);
const kubectl = /^\[pod\/([a-z0-9.-]+)\/([a-z0-9.-]+)\] ?/;
const stamped = new RegExp(`^(${stamp}) `);
const compose = /^([a-z0-9][\w.-]*?)\s+\| ?/i;
const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const stern = new RegExp(
  `^(?:(${label}) )?(${label}(?:\\.${label})*-[a-z0-9]{5,10}|${label}-\\d+) (${label}) `,
);

/** `isLine`: would what is left be a line of a known shape? Asked only where the prefix alone does not settle it. */
export function takePrefix(line: string, isLine: (text: string) => boolean): Unprefixed {
  const runtime = cri.exec(line);
  if (runtime !== null) {
    const [whole, time = '', stream, tag] = runtime;
    const at = parseLogTime(time);
    return {
      prefix: {
        ...(at === undefined ? {} : { at }),
        stream: stream === 'stderr' ? 'stderr' : 'stdout',
        ...(tag === 'P' ? { partial: true } : {}),
      },
      text: line.slice(whole.length),
    };
  }
  const named = kubectl.exec(line);
  if (named !== null) {
    const [whole, pod = '', container = ''] = named;
    return withStamp({ pod, container }, line.slice(whole.length));
  }
  if (line.charCodeAt(0) <= 57) {
    const time = stamped.exec(line);
    // A console line begins with its time too: that one is its own.
    return time === null || isLine(line) ? { prefix: undefined, text: line } : withStamp({}, line);
  }
  return followed(line, isLine);
}

/** stern and compose name pod and container by bare words: only before a line that is one beyond doubt. */
function followed(line: string, isLine: (text: string) => boolean): Unprefixed {
  const none = { prefix: undefined, text: line };
  const words = stern.exec(line);
  if (words !== null) {
    const [whole, namespace, pod = '', container = ''] = words;
    const rest = withStamp(
      { ...(namespace === undefined ? {} : { namespace }), pod, container },
      line.slice(whole.length),
    );
    return isLine(rest.text) ? rest : none;
  }
  const service = compose.exec(line);
  if (service === null) return none;
  const [whole, container = ''] = service;
  const text = line.slice(whole.length);
  return isLine(text) ? { prefix: { container }, text } : none;
}

function withStamp(prefix: LinePrefix, text: string): Unprefixed {
  const match = stamped.exec(text);
  const at = match === null ? undefined : parseLogTime(match[1]);
  if (match === null || at === undefined) return { prefix, text };
  return { prefix: { ...prefix, at }, text: text.slice(match[0].length) };
}
