/**
 * What the desktop asks us to open: session files and `loopscope://` links, from the command line, a second start, the
 * finder, a list of recent documents. And what the command line asks of the engine.
 */
import { isAbsolute, resolve } from 'node:path';
import { linkScheme, parseMomentLink } from '../shared/model/momentLink.ts';

/** core/node/sqliteSession.ts has the same; the shell does not load it for three letters. */
export const sessionFileExtension = '.loopscope';

export type OpenRequest =
  | { readonly type: 'open'; readonly path: string }
  | { readonly type: 'link'; readonly url: string };

/** What the engine of the first window is to do by itself. */
export interface EngineRequest {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespaces: readonly string[];
  readonly log?: string;
  readonly audit?: string;
  readonly metrics?: string;
  readonly profile?: string;
  /** `true`: the list of demos; else the one to play. */
  readonly demo?: string | true;
}

export interface StartRequest {
  readonly open: readonly OpenRequest[];
  readonly engine: EngineRequest;
}

const valued = ['kubeconfig', 'context', 'namespace', 'log', 'audit', 'metrics', 'profile'] as const;
type Valued = (typeof valued)[number];

/**
 * `args` without the program's own name. Paths are relative to `cwd`. Options that are not ours are Chromium's and are
 * passed over; whatever is neither an option, a link nor a session file is passed over too.
 */
export function readArguments(args: readonly string[], cwd: string): StartRequest {
  const open: OpenRequest[] = [];
  const values = new Map<Valued, string>();
  const namespaces: string[] = [];
  let demo: string | true | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [, name = '', inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (name === 'demo') demo = inline === undefined || inline === '' ? true : inline;
    else if (isValued(name)) {
      const value = inline ?? args[++at] ?? '';
      if (name === 'namespace') namespaces.push(...value.split(',').filter((one) => one !== ''));
      else values.set(name, isFile(name) ? fileOf(value, cwd) : value);
    } else {
      const request = openRequestOf(arg, cwd);
      if (request !== undefined) open.push(request);
    }
  }
  return {
    open,
    engine: { ...Object.fromEntries(values), namespaces, ...(demo === undefined ? {} : { demo }) },
  };
}

/** A link or a path as one thing to open; undefined when it is neither. */
export function openRequestOf(text: string, cwd: string): OpenRequest | undefined {
  if (text.toLowerCase().startsWith(`${linkScheme}:`)) {
    return parseMomentLink(text) === undefined ? undefined : { type: 'link', url: text };
  }
  if (text.startsWith('-') || !text.endsWith(sessionFileExtension)) return undefined;
  return { type: 'open', path: fileOf(text, cwd) };
}

function isValued(name: string): name is Valued {
  return (valued as readonly string[]).includes(name);
}

function isFile(name: Valued): boolean {
  return name === 'kubeconfig' || name === 'log' || name === 'audit' || name === 'profile';
}

function fileOf(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}
