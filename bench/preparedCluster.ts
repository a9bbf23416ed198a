/**
 * A cluster with prepared Databases behind a KubeTransport, without sockets: listed in pages or streamed, then a watch
 * that brings a given number of changes as fast as they are read. Everything else is a scripted cluster.
 * Made the same way each time, so that rounds are alike.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KubeRequest, KubeResponse, KubeTransport } from '../core/source/transport.ts';
import { apiResource, ScriptedCluster } from '../core/testing/scriptedCluster.ts';
import { ok } from '../shared/base/result.ts';
import { preparedStream } from './session.ts';

/** Lines of a watch: bytes with room for a version of ten digits, as a socket would hand them over. */
export interface PreparedLines {
  /** The next line, with a version higher than any before. */
  next(): string;
  /** Name and version of the objects as the lines told last. */
  readonly last: ReadonlyMap<string, string>;
}

const firstVersion = 1_000_000_000;
/** Lines of one read from a socket: 64 KB. */
const linesPerTurn = 32;

/** `objects` Databases of about 2 KB, one JSON text each. */
export function preparedObjects(objects: number): Iterable<string> {
  return texts(objects, objects);
}

function* texts(objects: number, records: number): Iterable<string> {
  for (const record of preparedStream(records, objects)) {
    if (record.kind === 'object') yield record.payload;
  }
}

/** Changes of `objects` Databases; after `distinct` lines they begin anew, with new versions. */
export function preparedLines(objects: number, distinct = 20_000): PreparedLines {
  const prepared: { readonly bytes: Buffer; readonly at: number; readonly name: string }[] = [];
  let index = 0;
  for (const text of texts(objects, objects + distinct)) {
    if (index++ < objects) continue;
    const line = `{"type":"MODIFIED","object":${text.replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${firstVersion}"`)}}`;
    const name = /"name":"([^"]+)"/.exec(line)?.[1] ?? '';
    const at = Buffer.byteLength(line.slice(0, line.indexOf(`"${firstVersion}"`) + 1));
    prepared.push({ bytes: Buffer.from(line), at, name });
  }
  const last = new Map<string, string>();
  let given = 0;
  return {
    last,
    next() {
      const line = prepared[given % prepared.length];
      if (line === undefined) throw new Error('no lines were prepared');
      const version = String(firstVersion + ++given);
      line.bytes.write(version, line.at, 'latin1');
      last.set(line.name, version);
      return line.bytes.toString('utf8');
    },
  };
}

export interface PreparedClusterOptions {
  readonly objects: number;
  /** Changes that the watch brings after the list; then it stays open. */
  readonly events: number;
  readonly lines: PreparedLines | undefined;
  /** The first change is about to be given out. */
  readonly onFirst?: () => void;
  /** Whoever reads the watch has taken the last change and asks for more: all before it were worked off. */
  readonly onLast?: () => void;
}

/** JSON bytes of the objects listed are counted as they go out. */
export class PreparedCluster extends ScriptedCluster implements KubeTransport {
  listedBytes = 0;
  private readonly options: PreparedClusterOptions;
  private pages: string[][] | undefined;

  constructor(options: PreparedClusterOptions) {
    super();
    this.options = options;
    this.serve(apiResource('databases.db.example.com', 'Database', { subresources: ['status'] }));
    for (const kind of ['ClusterRole', 'ClusterRoleBinding']) {
      this.serve(
        apiResource(`${kind.toLowerCase()}s.rbac.authorization.k8s.io`, kind, { namespaced: false }),
      );
    }
    for (const kind of ['Role', 'RoleBinding']) {
      this.serve(apiResource(`${kind.toLowerCase()}s.rbac.authorization.k8s.io`, kind));
    }
    const crd = 'CustomResourceDefinition';
    this.serve(apiResource(`${crd.toLowerCase()}s.apiextensions.k8s.io`, crd, { namespaced: false }));
  }

  override async request(request: KubeRequest) {
    const url = new URL(request.path, 'http://prepared');
    if (url.pathname !== '/apis/db.example.com/v1/databases') return super.request(request);
    if (url.searchParams.get('watch') === '1')
      return ok(this.watchAnswer(url.searchParams.get('sendInitialEvents') === 'true', request.signal));
    return ok(bodyOf(this.page(Number(url.searchParams.get('continue') ?? 0))));
  }

  private page(index: number): string {
    this.pages ??= pagesOf(preparedObjects(this.options.objects), 500);
    const items = this.pages[index] ?? [];
    // Given out once: what a server keeps is not part of what is measured.
    this.pages[index] = [];
    for (const item of items) this.listedBytes += Buffer.byteLength(item);
    const metadata = {
      resourceVersion: String(firstVersion),
      ...(index + 1 < this.pages.length ? { continue: String(index + 1) } : {}),
    };
    return `{"apiVersion":"db.example.com/v1","kind":"DatabaseList","metadata":${JSON.stringify(metadata)},"items":[${items.join(',')}]}`;
  }

  private watchAnswer(isStreamedList: boolean, signal: AbortSignal | undefined): KubeResponse {
    const { events, lines, onFirst, onLast } = this.options;
    const closed = new Promise<void>((resolve) => {
      signal?.addEventListener('abort', () => resolve());
    });
    const initial = isStreamedList ? this.initialEvents() : [];
    return {
      ...bodyOf(''),
      async *lines() {
        let given = 0;
        for (const line of initial) {
          if (given++ % linesPerTurn === 0) await nextTurn();
          yield line;
        }
        // What follows is not the list's: whoever waits for the list goes on first.
        await nextTurn();
        if (lines !== undefined) {
          onFirst?.();
          for (given = 0; given < events; given++) {
            if (given % linesPerTurn === 0) await nextTurn();
            yield lines.next();
          }
          onLast?.();
        }
        await closed;
      },
    };
  }

  private *initialEvents(): Iterable<string> {
    for (const text of preparedObjects(this.options.objects)) {
      this.listedBytes += Buffer.byteLength(text);
      yield `{"type":"ADDED","object":${text}}`;
    }
    yield `{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"${firstVersion}","annotations":{"k8s.io/initial-events-end":"true"}}}}`;
  }
}

function pagesOf(items: Iterable<string>, size: number): string[][] {
  const pages: string[][] = [[]];
  for (const item of items) {
    if (pages.at(-1)?.length === size) pages.push([]);
    pages.at(-1)?.push(item);
  }
  return pages;
}

function bodyOf(text: string): KubeResponse {
  return {
    status: 200,
    header: () => undefined,
    text: () => Promise.resolve(text),
    async *lines() {
      yield text;
    },
    dispose() {},
  };
}
