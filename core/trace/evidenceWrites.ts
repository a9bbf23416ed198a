/**
 * Ledgers of writes: for each object what watches show and what the operator's requests (audit, the probe) tell of the same
 * writes, brought together: a request and the version it made are one write. What comes out is a function of what is in the
 * ledger, whatever came first. Pure; spec: docs/spec/revisions.md
 */
import type { RecordSeq, SourceId } from '../../shared/model/ids.ts';
import type { TraceWrite, Within, WriteOutcome } from '../../shared/model/trace.ts';
import type { WatchedWrite } from './evidenceVersions.ts';

/** A write that was asked for, told by an audit log or by the probe around the operator's client. */
export interface AskedWrite {
  readonly seq: RecordSeq;
  readonly source: SourceId;
  readonly receivedAt: number;
  readonly at: Within;
  readonly from: 'audit' | 'probe';
  readonly verb: TraceWrite['verb'];
  readonly subresource: string;
  /** HTTP status; the probe tells 200 or 0. */
  readonly code: number;
  /** It failed, whatever the code. */
  readonly failed: boolean;
  readonly resourceVersion: string | undefined;
  readonly requestVersion: string | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly manager: string | undefined;
  readonly dryRun: boolean;
  /** Known without looking at the object: the probe writes in the name of one run. */
  readonly place: { readonly controller: string; readonly key: string } | undefined;
}

/** One write: the version, the request, or both. */
export interface JoinedWrite {
  readonly version: WatchedWrite | undefined;
  readonly asked: AskedWrite | undefined;
  readonly outcome: WriteOutcome;
}

export interface WrittenObject {
  /** Versions that the operator made, or that may be its deletion, in the order in which they came. */
  readonly versions: readonly WatchedWrite[];
  readonly asked: readonly AskedWrite[];
  /** Versions that others made, newest last. */
  readonly others: ReadonlySet<string>;
  /** A watch shows this object, so that a write that stored something would be seen. */
  readonly watched: boolean;
}

/** Clocks of two sources may be this far apart before anything is known of them, ms. */
const apartMs = 1500;
/** A deletion with a grace period shows at once; what the server takes longer for is another one, ms. */
const deletionMs = 5000;

/** What is told of each write of an object; those nobody signed and nobody asked for are among them. */
export function joinWrites({ versions, asked, others, watched }: WrittenObject): readonly JoinedWrite[] {
  const requests = [...asked].sort((a, b) => a.at.hi - b.at.hi || a.at.lo - b.at.lo || a.seq - b.seq);
  const joined = new Map<AskedWrite, JoinedWrite>();
  const taken = new Set<WatchedWrite>();
  const storedAs = new Set<string>();
  const settle = (request: AskedWrite, version: WatchedWrite | undefined, outcome: WriteOutcome) => {
    joined.set(request, { version, asked: request, outcome });
    if (version !== undefined) taken.add(version);
    if (outcome === 'stored' && request.resourceVersion !== undefined) storedAs.add(request.resourceVersion);
  };
  // The probe and an audit log may tell of the same request: the exact times of the audit stand, the key is the probe's.
  const told = new Map<string, AskedWrite>();
  const mergedAway = new Set<AskedWrite>();

  const byVersion = new Map(versions.map((version) => [version.resourceVersion, version]));
  for (const request of requests) {
    if (!isStorable(request)) {
      settle(request, undefined, refusalOf(request));
      continue;
    }
    const { resourceVersion: made } = request;
    if (made === undefined || request.verb === 'delete' || request.verb === 'deletecollection') continue;
    const twin = told.get(made);
    if (twin !== undefined && twin.from !== request.from && overlaps(twin.at, request.at)) {
      const known = joined.get(twin);
      joined.delete(twin);
      const both =
        twin.from === 'audit' ? { ...twin, place: request.place } : { ...request, place: twin.place };
      joined.set(both, { version: known?.version, asked: both, outcome: known?.outcome ?? 'stored' });
      told.set(made, both);
      joined.delete(request);
      mergedAway.add(request);
      continue;
    }
    told.set(made, request);
    const version = byVersion.get(made);
    if (others.has(made) || storedAs.has(made) || request.requestVersion === made)
      settle(request, undefined, 'noChange');
    else settle(request, version, 'stored');
  }

  const open = requests.filter((request) => !joined.has(request) && !mergedAway.has(request));
  joinByTime(
    versions.filter((version) => version.signed && !taken.has(version)),
    open.filter(({ verb }) => verb !== 'delete' && verb !== 'deletecollection'),
    fitsWrite,
    (version, request) => settle(request, version, 'stored'),
  );
  joinByTime(
    versions.filter((version) => !version.signed && !taken.has(version)),
    open.filter(({ verb }) => verb === 'delete' || verb === 'deletecollection'),
    fitsDeletion,
    (version, request) => settle(request, version, 'stored'),
  );
  for (const request of open)
    if (!joined.has(request)) settle(request, undefined, withoutVersion(request, watched));
  return [
    ...joined.values(),
    ...versions
      .filter((version) => !taken.has(version))
      .map((version): JoinedWrite => ({ version, asked: undefined, outcome: 'stored' })),
  ];
}

/** One to one, in order, each version with the request that ended nearest to its receipt. */
function joinByTime(
  versions: readonly WatchedWrite[],
  requests: readonly AskedWrite[],
  fits: (version: WatchedWrite, request: AskedWrite) => boolean,
  join: (version: WatchedWrite, request: AskedWrite) => void,
): void {
  const used = new Set<AskedWrite>();
  let from = 0;
  for (const version of versions) {
    let best: number | undefined;
    for (let index = from; index < requests.length; index++) {
      const request = requests[index];
      if (request === undefined || used.has(request) || !fits(version, request)) continue;
      const before = best === undefined ? undefined : requests[best];
      if (before === undefined || distance(version, request) < distance(version, before)) best = index;
    }
    const found = best === undefined ? undefined : requests[best];
    if (best === undefined || found === undefined) continue;
    used.add(found);
    from = best + 1;
    join(version, found);
  }
}

function distance({ receivedAt }: WatchedWrite, { at }: AskedWrite): number {
  return Math.abs(receivedAt - at.hi);
}

function fitsWrite(version: WatchedWrite, request: AskedWrite): boolean {
  return (
    version.subresource === request.subresource &&
    (version.verb === 'create') === (request.verb === 'create') &&
    request.at.lo <= version.receivedAt + apartMs &&
    request.at.hi >= version.at.lo - apartMs &&
    request.at.lo <= version.at.hi + apartMs
  );
}

function fitsDeletion(version: WatchedWrite, request: AskedWrite): boolean {
  return request.at.lo <= version.receivedAt + apartMs && request.at.hi >= version.receivedAt - deletionMs;
}

function overlaps(a: Within, b: Within): boolean {
  return a.lo <= b.hi + apartMs && b.lo <= a.hi + apartMs;
}

function isStorable({ code, failed }: AskedWrite): boolean {
  return !failed && code < 300;
}

function refusalOf({ code, reason }: AskedWrite): WriteOutcome {
  if (code === 403) return 'refused';
  if (reason === 'AlreadyExists') return 'failed';
  return code === 409 || reason === 'Conflict' ? 'conflict' : 'failed';
}

/** Nothing tells which version it made: where versions are seen, none was. */
function withoutVersion({ verb, dryRun, resourceVersion }: AskedWrite, watched: boolean): WriteOutcome {
  if (dryRun) return 'noChange';
  if (verb === 'create' || verb === 'delete' || verb === 'deletecollection') return 'stored';
  return watched && resourceVersion === undefined ? 'noChange' : 'stored';
}
