/**
 * Verdicts: findings and the RBAC lens, judged again whenever what they rest on changes. A finding opens and closes by
 * a record, so that the session tells when it held.
 */
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { asRecord, parseJson } from '../../shared/base/json.ts';
import type { FindingsView, RbacView } from '../../shared/contract/api.ts';
import { structurallyEqual } from '../../shared/contract/rowTable.ts';
import type { Finding, NotEvaluated } from '../../shared/model/finding.ts';
import { objectKey, recordSeq, type SourceId } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { RbacLens, RbacRef } from '../../shared/model/rbac.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import type { Span } from '../../shared/model/trace.ts';
import { createFactTracker } from '../findings/factTracker.ts';
import type { FindingInput } from '../findings/findingInput.ts';
import { ownKinds } from '../findings/ownKinds.ts';
import { evaluate, findingContext } from '../findings/registry.ts';
import { trackFindings } from '../findings/trackFindings.ts';
import { type AccessRecord, accessFromProfile, createAccessTracker } from '../rbac/access.ts';
import { type AccessReview, rbacLens } from '../rbac/lens.ts';
import { accessFromWriter, type FirstSight, movedWriters, verbOfWriter } from '../rbac/writes.ts';
import type { AuditFact, LogFact } from '../session/facts.ts';
import type { Recorder } from '../session/recorder.ts';
import type { OperatorMetrics } from '../source/metrics/controllerMetrics.ts';
import { createChangeLedger } from '../trace/detectors/changeLedger.ts';
import type { ClusterModel } from './clusterModel.ts';
import type { ObjectChange, ObjectIndex, ObjectState } from './objectIndex.ts';
import { parse } from './objectViews.ts';
import type { OperatorsModel } from './operatorsModel.ts';
import { rbacPolicy } from './rbacPolicy.ts';
import { throttled } from './throttle.ts';
import { self } from './watchRecords.ts';

export interface VerdictsDeps {
  readonly clock: Clock;
  /** What waits between two looks go by; the clock itself where nothing is played. */
  readonly pace: Clock;
  /** Records are told again: when a finding held is theirs to say, and nobody is asked. */
  readonly replaying: () => boolean;
  readonly index: ObjectIndex;
  readonly model: ClusterModel;
  readonly recorder: Recorder;
  readonly operators: OperatorsModel;
  readonly resolve: (name: string) => ApiResource | undefined;
  /** The served resource of a kind; `group` undefined: of whatever group serves it in `version`. */
  readonly resourceOfKind: (
    kind: string,
    where: { readonly group: string } | { readonly version: string },
  ) => ApiResource | undefined;
  /** False until roles, bindings and CRDs were listed or refused: a half-read policy would tell of gaps that are none. */
  readonly ready: () => boolean;
  readonly positionOf: (source: SourceId) => { readonly file: string; readonly line: number } | undefined;
  /** Resources that were listed nowhere, as `resource.group`, and those of them for which no right is missing. */
  readonly unreadable: () => readonly string[];
  readonly failing: () => readonly string[];
  /** Reconciles of the operator under debug, newest first. */
  readonly spans: () => readonly Span[];
  /** SubjectAccessReview where it may be asked; undefined where not. */
  readonly review: (question: ReviewQuestion) => Promise<{ allowed: boolean; reason: string } | undefined>;
}

export interface ReviewQuestion {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
}

export interface Verdicts extends Disposable {
  findings(): FindingsView;
  rbac(): RbacView;
  applyObject(change: ObjectChange, object: KubeObject | undefined, matters: boolean): void;
  applyLog(fact: LogFact): void;
  applyAudit(fact: AuditFact): void;
  applyMetrics(metrics: OperatorMetrics): void;
  /** A record of a finding, or of an answer to a question about rights, is told again. */
  applyRetold(kind: 'finding' | 'access', payload: string): void;
  /** What may be read has changed. */
  refresh(): void;
  /** Judges at once; for the CLI, which asks once. */
  judgeNow(): void;
  /** Judges at once what can be compared in a turn of the event loop; the rest follows. */
  judgeTurn(): void;
  readonly onChange: Emitter<void>;
}

/** How long versions of objects are compared before the rest waits for the next time, ms. */
const comparingMs = 8;
/** The same after a quiet stretch, when somebody waits for what is found, ms. */
const settlingMs = 25;
/** Questions to the SubjectAccessReview oracle for one state of the lens. */
const reviewsAtOnce = 12;

export function createVerdicts(deps: VerdictsDeps): Verdicts {
  const { clock, pace, index, model, recorder, operators } = deps;
  const store = new DisposableStore();
  const onChange = store.add(new Emitter<void>());
  const facts = createFactTracker({
    resolveKind: (kind, version) => deps.resourceOfKind(kind, { version }),
  });
  const ledger = createChangeLedger({
    read: (version) => parse(recorder.log, recordSeq(version)),
    placeOf: (version) => ({ seq: version }),
  });
  let findings: readonly Finding[] = [];
  /** What is on record of findings, told again. */
  let told: readonly Finding[] = [];
  let notEvaluated: readonly NotEvaluated[] = [];
  let lens: RbacLens | undefined;
  let reviews = new Map<string, AccessReview>();
  /** Asked for this state of the roles, answered or not: a refusal to answer is not asked again and again. */
  let asked = new Set<string>();
  let policyVersion = 0;
  let disposed = false;

  const judge = store.add(throttled(pace, 200, () => judgeSome(comparingMs)));
  store.add(
    operators.onChange.on(() => {
      noteManagers();
      judge.poke();
    }),
  );

  /** `goesOn`: whether versions of objects may still be read and compared. */
  function input(goesOn: () => boolean): FindingInput {
    return {
      now: new Date(clock.now()).toISOString(),
      objects: {
        list: (groupKind) => model.ofKind(groupKind),
        *heads(groupKind) {
          const slash = groupKind.indexOf('/');
          for (const { fact } of index.ofKind(groupKind.slice(0, slash), groupKind.slice(slash + 1)))
            yield {
              namespace: fact.namespace,
              name: fact.name,
              ownerReferences: fact.meta.ownerReferences ?? [],
              writers: fact.writers,
            };
        },
      },
      policy: rbacPolicy(model),
      access: facts.access(),
      controllers: facts.controllers(),
      profiles: operators.all(),
      unreadable: deps.unreadable(),
      failing: deps.failing(),
      objectBasis: 'watch',
      changes: ledger.seen(clock.now(), goesOn),
      spans: deps.spans(),
      locate: (ref) => locate(ref),
    };
  }

  function locate(ref: RbacRef): { readonly seq: number } | undefined {
    const key = objectKey({
      group: 'rbac.authorization.k8s.io',
      kind: ref.kind,
      namespace: ref.namespace,
      name: ref.name,
    });
    const state = index.get(key);
    return state && { seq: state.fact.seq };
  }

  /** Whose writes show rights in use. Objects seen before the profile was known are gone through once. */
  let managers: readonly string[] = [];
  function noteManagers(): void {
    const next = operators.profile()?.fieldManagers.value ?? [];
    if (structurallyEqual(next, managers)) return;
    managers = next;
    for (const state of index.all()) noteWrites(undefined, state);
  }

  function noteWrites(before: ObjectState | undefined, now: ObjectState): void {
    const user = operators.profile()?.identity.value.user;
    if (user === undefined || managers.length === 0 || now.deleted) return;
    const { fact } = now;
    const known = before === undefined || before.deleted || before.fact.uid !== fact.uid ? undefined : before;
    const moved = movedWriters(known?.fact.writers ?? [], fact.writers, managers);
    const resource = moved.length === 0 ? undefined : deps.resourceOfKind(fact.kind, { group: fact.group });
    if (resource === undefined) return;
    const sight: FirstSight =
      known !== undefined ? 'later' : fact.op === 'added' && !fact.initial ? 'created' : 'first';
    for (const writer of moved) {
      const verb = verbOfWriter(writer, fact.writers, fact.meta.creationTimestamp, sight);
      if (verb !== undefined) facts.addAccess(accessFromWriter(user, resource, fact, writer, verb, fact.seq));
    }
  }

  function judgeNow(): void {
    judgeWhile(() => true);
  }

  function judgeSome(forMs: number): void {
    const until = pace.monotonic() + forMs;
    judgeWhile(() => pace.monotonic() < until);
    if (ledger.isBehind) judge.poke();
  }

  function judgeWhile(goesOn: () => boolean): void {
    if (!deps.ready()) return;
    const now = new Date(clock.now()).toISOString();
    const given = input(goesOn);
    const evaluation = evaluate(given);
    notEvaluated = evaluation.notEvaluated;
    if (deps.replaying()) {
      findings = asRecorded(evaluation.findings, told);
    } else {
      const tracked = trackFindings(findings, evaluation, now);
      findings = tracked.findings;
      for (const finding of tracked.opened) recordTransition('opened', finding);
      for (const finding of tracked.closed) recordTransition('closed', finding);
    }
    judgeLens(given);
    onChange.emit();
  }

  function recordTransition(what: 'opened' | 'closed', finding: Finding): void {
    const now = recordOwn('finding', { what, finding });
    const { intervals } = recorder.log;
    if (what === 'opened') intervals.open('finding', finding.id, now, finding);
    else intervals.close('finding', finding.id, now);
  }

  function recordOwn(kind: 'finding' | 'access', value: unknown): number {
    const now = clock.now();
    recorder.record({
      kind,
      source: self,
      at: { lo: now, hi: now },
      receivedAt: now,
      payload: JSON.stringify(value),
    });
    return now;
  }

  function judgeLens(given: FindingInput): void {
    const profile = operators.profile();
    if (profile === undefined) {
      lens = undefined;
      return;
    }
    const user = profile.identity.value.user;
    const owned = new Set(
      ownKinds(findingContext(given))
        .filter((own) => own.user === user && own.crd.servesStatus)
        .map((own) => `${own.crd.plural}.${own.crd.group}`),
    );
    const expected = createAccessTracker();
    const expectations = accessFromProfile(profile, deps.resolve, (resource) =>
      owned.has(`${resource.resource}.${resource.group}`),
    );
    for (const access of expectations) expected.add(access);
    const access: readonly AccessRecord[] = [...facts.access(), ...expected.records()];
    lens = rbacLens({
      identity: profile.identity.value,
      policy: given.policy,
      access,
      reviews: [...reviews.values()],
      unreadable: given.unreadable.filter((name) => name.endsWith('.rbac.authorization.k8s.io')),
    });
    if (!deps.replaying()) void askReviews(lens);
  }

  /** Asks the API server about each gap once per state of the roles; what it says is shown beside our own answer. */
  async function askReviews(current: RbacLens): Promise<void> {
    const version = policyVersion;
    const questions = current.rows
      .filter((row) => row.group === 'gap')
      .flatMap((row) => (row.gap?.verbs ?? []).map((verb) => ({ row, verb })))
      .filter(({ row, verb }) => !asked.has(`${row.id} ${verb}`))
      .slice(0, reviewsAtOnce);
    for (const { row, verb } of questions) {
      const question = {
        user: current.identity.user,
        groups: current.identity.groups,
        verb,
        group: row.apiGroup,
        resource: row.resource,
        subresource: row.subresource,
        namespace: row.scope,
      };
      asked.add(`${row.id} ${verb}`);
      const answer = await deps.review(question);
      if (disposed || version !== policyVersion) return;
      if (answer === undefined) continue;
      const review = { ...named(question), ...answer };
      reviews.set(`${row.id} ${verb}`, review);
      recordOwn('access', { id: `${row.id} ${verb}`, review });
      judge.poke();
    }
  }

  function placeOf({ seq, source }: Pick<LogFact, 'seq' | 'source'>): {
    readonly seq: number;
    readonly file?: string;
    readonly line?: number;
  } {
    return { seq, ...deps.positionOf(source) };
  }

  return {
    onChange,
    findings: () => ({ findings, notEvaluated }),
    rbac() {
      if (lens !== undefined) return { lens };
      return { reason: operators.all().length === 0 ? 'no-operator' : 'choose-operator' };
    },
    applyObject(change, object, matters) {
      const { fact } = change.now;
      noteWrites(change.before, change.now);
      ledger.object(fact.seq, fact);
      if (fact.kind === 'Event' && object !== undefined && !change.now.deleted)
        facts.addEvent(object, { seq: fact.seq, receivedAt: fact.receivedAt });
      if (fact.group === 'rbac.authorization.k8s.io') {
        policyVersion++;
        reviews = new Map();
        asked = new Set();
      }
      if (matters || fact.kind === 'Event' || fact.group.includes('.')) judge.poke();
    },
    applyLog(fact) {
      facts.addLog(
        fact.entry,
        { seq: fact.seq, receivedAt: fact.receivedAt, ...deps.positionOf(fact.source) },
        operators.profile()?.identity.value.user,
      );
      ledger.log(fact.entry, fact.at, placeOf(fact));
      judge.poke();
    },
    applyAudit(fact) {
      const place = placeOf(fact);
      facts.addAudit(fact.entry, { ...place, receivedAt: fact.receivedAt });
      ledger.audit(fact.entry, place);
      judge.poke();
    },
    applyMetrics: (metrics) => ledger.metrics(metrics),
    applyRetold(kind, payload) {
      const value = asRecord(parseJson(payload));
      if (kind === 'access') {
        const review = asRecord(value?.review) as unknown as AccessReview | undefined;
        if (typeof value?.id === 'string' && review !== undefined) reviews.set(value.id, review);
        return;
      }
      const finding = asRecord(value?.finding) as unknown as Finding | undefined;
      if (typeof finding?.id !== 'string') return;
      told = retold(told, finding);
      // A session that goes on goes on from these.
      findings = told;
    },
    judgeNow,
    judgeTurn: () => judgeSome(settlingMs),
    refresh: () => judge.poke(),
    dispose() {
      disposed = true;
      store.dispose();
    },
  };
}

/** Open ones first, in the order they opened; closed ones after them, newest first. */
function retold(told: readonly Finding[], finding: Finding): readonly Finding[] {
  const rest = told.filter((one) => one.id !== finding.id);
  const open = rest.filter((one) => one.closedAt === undefined);
  const closed = rest.filter((one) => one.closedAt !== undefined);
  if (finding.closedAt === undefined) return [...open, finding, ...closed];
  // Those that closed together keep their order.
  const first = closed.findIndex((one) => one.closedAt !== finding.closedAt);
  const place = first < 0 ? closed.length : first;
  return [...open, ...closed.slice(0, place), finding, ...closed.slice(place)];
}

/**
 * What is found now, with the opening times that are on record. What is on record as open and is not found stays as it was
 * said: its end was not recorded.
 */
function asRecorded(found: readonly Finding[], told: readonly Finding[]): readonly Finding[] {
  const ids = new Set(found.map(({ id }) => id));
  const open = new Map(told.flatMap((one) => (one.closedAt === undefined ? [[one.id, one] as const] : [])));
  const dated = found.map((finding) => {
    const before = open.get(finding.id);
    return before === undefined ? finding : { ...finding, openedAt: before.openedAt };
  });
  return [...dated, ...told.filter((one) => !ids.has(one.id))];
}

function named(question: ReviewQuestion): Omit<AccessReview, 'allowed'> {
  const { verb, group, resource, subresource, namespace } = question;
  return { verb, apiGroup: group, resource, subresource, namespace };
}
