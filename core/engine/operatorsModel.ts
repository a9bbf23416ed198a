/**
 * OperatorsModel: which operators the cluster shows, which one is under debug, and its profile: inferred, sharpened by
 * what it reports, overridden by loopscope.yaml and by edits. Every edit is a record.
 */
import type { Clock } from '../../shared/base/clock.ts';
import { type Disposable, DisposableStore } from '../../shared/base/disposable.ts';
import { Emitter } from '../../shared/base/emitter.ts';
import { asRecord, parseJson } from '../../shared/base/json.ts';
import { err, ok, type Result } from '../../shared/base/result.ts';
import { structurallyEqual } from '../../shared/contract/rowTable.ts';
import type { Problem } from '../../shared/contract/views/connection.ts';
import type { OperatorSummary, Operators, ProfileEdit } from '../../shared/contract/views/operators.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { OperatorProfile, ProfileFile } from '../../shared/model/profile.ts';
import type { ApiResource } from '../../shared/model/resource.ts';
import { applyEdits } from '../profile/edits.ts';
import { createEvidenceFold } from '../profile/evidence.ts';
import { inferOperators } from '../profile/infer.ts';
import { localOperator } from '../profile/localOperator.ts';
import { mergeProfileFile, profileFileFits } from '../profile/profileFile.ts';
import { isBuiltInGroup } from '../profile/resourceNames.ts';
import { sharpen } from '../profile/sharpen.ts';
import { withAggregatedRules } from '../rbac/aggregation.ts';
import { createAuthorizer } from '../rbac/authorizer.ts';
import type { LogFact, ProcessFact } from '../session/facts.ts';
import type { Recorder } from '../session/recorder.ts';
import type { OperatorMetrics } from '../source/metrics/controllerMetrics.ts';
import type { ClusterModel } from './clusterModel.ts';
import type { ObjectChange, ObjectIndex } from './objectIndex.ts';
import { rbacPolicy } from './rbacPolicy.ts';
import { throttled } from './throttle.ts';
import { self } from './watchRecords.ts';

export interface OperatorsDeps {
  readonly clock: Clock;
  /** What waits between two looks go by; the clock itself where nothing is played. */
  readonly pace: Clock;
  /** False while records are told again that say when operators were inferred: then that happens at those records. */
  readonly infers: () => boolean;
  readonly index: ObjectIndex;
  readonly model: ClusterModel;
  readonly recorder: Recorder;
  /** Discovery. */
  readonly resources: () => readonly ApiResource[];
  /** RBAC objects may not be read: grants are unknown, not empty. */
  readonly rbacUnreadable: () => boolean;
  readonly file: ProfileFile | undefined;
  readonly filePath: string | undefined;
}

/** Resources (`resource.group`) that the profile needs watched. */
export interface WantedResources {
  readonly full: readonly string[];
  readonly metadata: readonly string[];
}

export interface OperatorsModel extends Disposable {
  view(): Operators;
  /** The profile under debug, with all overrides. */
  profile(): OperatorProfile | undefined;
  /** Every operator known; the one under debug with its overrides. */
  all(): readonly OperatorProfile[];
  choose(id: string): boolean;
  setLocal(user: string, controllers: readonly string[], groups?: readonly string[]): void;
  edit(edit: ProfileEdit): Result<void, Problem>;
  setFile(file: ProfileFile, path: string): void;
  wantedResources(): WantedResources;
  applyObject(change: ObjectChange, matters: boolean): void;
  applyLog(fact: LogFact): void;
  applyMetrics(metrics: OperatorMetrics): void;
  /** Start and end of the child process of `loopscope run`: the operator under debug. */
  applyProcess(fact: ProcessFact): void;
  /** Discovery changed: names may resolve now. */
  refresh(): void;
  /** A record of kind `profile` is told again. */
  applyRetold(payload: string): void;
  /** Infers at once from what is known. */
  inferNow(): void;
  readonly onChange: Emitter<void>;
}

export function createOperatorsModel(deps: OperatorsDeps): OperatorsModel {
  const { clock, pace, index, model, recorder } = deps;
  const store = new DisposableStore();
  const onChange = store.add(new Emitter<void>());
  const evidence = createEvidenceFold();
  const edits = new Map<string, ProfileEdit[]>();
  let file = deps.file;
  let filePath = deps.filePath;
  let found: readonly OperatorProfile[] = [];
  let local: OperatorProfile | undefined;
  /** The last word of the child process, when it is that it ended. */
  let ended: ProcessFact | undefined;
  /** By the user or by `loopscope run`; a single operator is chosen without asking. */
  let chosenId: string | undefined;
  let chosen: OperatorProfile | undefined;
  let problems: readonly string[] = [];

  const infer = store.add(
    throttled(pace, 400, () => {
      if (deps.infers()) inferNow();
    }),
  );
  // What the command line gave is part of what the session rests on.
  if (file !== undefined) recordProfile('file', { file, path: filePath });

  function inferNow(): void {
    const next = inferOperators({
      workloads: ['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet'].flatMap((kind) =>
        model.ofKind(kind),
      ),
      crds: model.ofKind('apiextensions.k8s.io/CustomResourceDefinition'),
      leases: model.ofKind('coordination.k8s.io/Lease'),
      heads: livingHeads(index),
      resources: deps.resources(),
      grantsOf: grantsReader(),
    });
    // Told before anything follows: a played session infers at the same place, from the same records.
    let told = false;
    const tell = () => {
      if (!told) recordProfile('inferred', {});
      told = true;
    };
    if (!structurallyEqual(next, found)) tell();
    found = next;
    settle(tell);
  }

  function grantsReader(): Parameters<typeof inferOperators>[0]['grantsOf'] {
    if (deps.rbacUnreadable()) return () => undefined;
    const authorizer = createAuthorizer(withAggregatedRules(rbacPolicy(model)));
    return (identity) => authorizer.grants(identity);
  }

  /** Works out the chosen profile again and tells when anything changed; `before` is called before that. */
  function settle(before?: () => void): void {
    const candidates = allFound();
    const picked =
      candidates.find((operator) => operator.id === chosenId) ??
      (chosenId === undefined ? theObviousOne(candidates) : undefined);
    const told: string[] = [];
    const next = picked && effective(picked, told);
    const changed =
      !structurallyEqual(next, chosen) ||
      !structurallyEqual(told, problems) ||
      candidates.length !== lastCount;
    lastCount = candidates.length;
    chosen = next;
    problems = told;
    if (!changed) return;
    before?.();
    onChange.emit();
  }
  let lastCount = -1;

  function allFound(): readonly OperatorProfile[] {
    const list = local === undefined ? [...found] : [local, ...found];
    const own = file;
    if (own !== undefined && !list.some((operator) => profileFileFits(own, operator)))
      list.unshift(mergeProfileFile(undefined, own, deps.resources()).profile);
    return list;
  }

  function theObviousOne(candidates: readonly OperatorProfile[]): OperatorProfile | undefined {
    if (local !== undefined) return local;
    const own = file;
    if (own !== undefined) return candidates.find((operator) => profileFileFits(own, operator));
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  function effective(base: OperatorProfile, told: string[]): OperatorProfile {
    let profile = sharpen(base, evidence.controllers(), deps.resources());
    if (file !== undefined && profileFileFits(file, profile)) {
      const merged = mergeProfileFile(profile, file, deps.resources());
      profile = merged.profile;
      told.push(...merged.problems);
    }
    const own = edits.get(base.id);
    if (own !== undefined) {
      const edited = applyEdits(profile, own, deps.resources());
      profile = edited.profile;
      told.push(...edited.problems);
    }
    return profile;
  }

  function recordProfile(what: string, value: unknown): void {
    const now = clock.now();
    recorder.record({
      kind: 'profile',
      source: self,
      at: { lo: now, hi: now },
      receivedAt: now,
      payload: JSON.stringify({ what, value }),
    });
  }

  function beLocal(user: string, controllers: readonly string[], groups?: readonly string[]): void {
    local = localOperator(user, controllers, deps.resources(), groups);
    chosenId = local.id;
  }

  return {
    onChange,
    view() {
      return {
        operators: allFound().map((operator) => {
          const summary = summaryOf(operator, model);
          return ended === undefined || operator.id !== chosen?.id
            ? summary
            : { ...summary, ...endOf(ended) };
        }),
        ...(chosen === undefined ? {} : { chosen: chosen.id, profile: chosen }),
        ...(filePath === undefined ? {} : { profileFile: filePath }),
        problems: [...problems],
      };
    },
    profile: () => chosen,
    all: () => allFound().map((operator) => (operator.id === chosen?.id ? chosen : operator)),
    choose(id) {
      if (!allFound().some((operator) => operator.id === id)) return false;
      chosenId = id;
      recordProfile('choose', id);
      settle();
      return true;
    },
    setLocal(user, controllers, groups) {
      beLocal(user, controllers, groups);
      recordProfile('local', { user, controllers, ...(groups === undefined ? {} : { groups }) });
      settle();
    },
    edit(edit) {
      if (chosen === undefined)
        return err({ code: 'no-operator', message: 'Choose an operator first, then edit its profile.' });
      const { id } = chosen;
      // Tried before it is kept: an edit that does not fit must not stay behind as a lasting problem.
      const kept = edits.get(id) ?? [];
      const tried = applyEdits(chosen, [edit], deps.resources());
      const refused = tried.problems.find((problem) => !problem.includes('kept as written'));
      if (refused !== undefined) return err({ code: 'bad-edit', message: refused });
      edits.set(id, [...kept, edit]);
      recordProfile('edit', { operator: id, edit });
      settle();
      return ok(undefined);
    },
    setFile(next, path) {
      file = next;
      filePath = path;
      recordProfile('file', { file: next, path });
      settle();
    },
    wantedResources() {
      const full = new Set<string>();
      const metadata = new Set<string>();
      for (const controller of chosen?.controllers ?? []) {
        full.add(controller.for.value);
        for (const name of controller.owns.value) full.add(name);
        for (const watch of controller.watches.value) full.add(watch.resource);
      }
      for (const operator of allFound())
        for (const controller of operator.controllers)
          if (!full.has(controller.for.value)) metadata.add(controller.for.value);
      return { full: [...full], metadata: [...metadata] };
    },
    applyObject(change, matters) {
      // Custom objects tell who reconciles them by owners, finalizers and writers.
      if (infer.isPending) return;
      if (matters || (!isBuiltInGroup(change.now.fact.group) && tellsAnew(change))) infer.poke();
    },
    applyLog(fact) {
      if (evidence.addLog(fact.entry)) settle();
    },
    applyMetrics(metrics) {
      if (evidence.addMetrics(metrics)) settle();
    },
    applyProcess(fact) {
      ended = fact.event === 'exited' ? fact : undefined;
      onChange.emit();
    },
    refresh: () => infer.poke(),
    inferNow,
    applyRetold(payload) {
      const told = readProfileRecord(payload);
      if (told === undefined) return;
      switch (told.what) {
        case 'inferred':
          inferNow();
          return;
        case 'choose':
          chosenId = told.value;
          break;
        case 'local':
          beLocal(told.value.user, told.value.controllers, told.value.groups);
          break;
        case 'edit':
          edits.set(told.value.operator, [...(edits.get(told.value.operator) ?? []), told.value.edit]);
          break;
        case 'file':
          file = told.value.file;
          filePath = told.value.path;
          break;
      }
      settle();
    },
    dispose: () => store.dispose(),
  };
}

/** What was done to the profile. `inferred`: what the cluster shows of operators had changed, and was worked out again. */
type ProfileRecord =
  | { readonly what: 'inferred' }
  | { readonly what: 'choose'; readonly value: string }
  | {
      readonly what: 'local';
      readonly value: {
        readonly user: string;
        readonly controllers: readonly string[];
        readonly groups?: readonly string[];
      };
    }
  | { readonly what: 'edit'; readonly value: { readonly operator: string; readonly edit: ProfileEdit } }
  | { readonly what: 'file'; readonly value: { readonly file: ProfileFile; readonly path?: string } };

/** Undefined for what no version of ours wrote. Before files were recorded with their path they were the value itself. */
function readProfileRecord(payload: string): ProfileRecord | undefined {
  const record = asRecord(parseJson(payload));
  const { what, value } = record ?? {};
  switch (what) {
    case 'inferred':
      return { what };
    case 'choose':
      return typeof value === 'string' ? { what, value } : undefined;
    case 'file':
      return { what, value: fileOf(value) };
    case 'local':
    case 'edit':
      return asRecord(value) === undefined ? undefined : (record as unknown as ProfileRecord);
    default:
      return undefined;
  }
}

function fileOf(value: unknown): { readonly file: ProfileFile; readonly path?: string } {
  const withPath = asRecord(value)?.file !== undefined;
  return (withPath ? value : { file: value }) as { readonly file: ProfileFile; readonly path?: string };
}

/** Whether an object is new, gone, or has other owners, finalizers or writers than before: what inference reads of it. */
function tellsAnew({ before, now }: ObjectChange): boolean {
  if (before === undefined || before.deleted !== now.deleted) return true;
  const [old, fact] = [before.fact, now.fact];
  return !(
    structurallyEqual(old.meta.ownerReferences, fact.meta.ownerReferences) &&
    structurallyEqual(old.meta.finalizers, fact.meta.finalizers) &&
    old.writers.length === fact.writers.length &&
    old.writers.every((writer, index) => {
      const other = fact.writers[index];
      return writer.manager === other?.manager && writer.subresource === other.subresource;
    })
  );
}

function* livingHeads(index: ObjectIndex) {
  for (const state of index.all()) if (!state.deleted) yield state.fact;
}

function summaryOf(operator: OperatorProfile, model: ClusterModel): OperatorSummary {
  const workload = operator.workload?.value;
  const { health, detail } = workload === undefined ? localHealth : workloadHealth(workload, model);
  return {
    id: operator.id,
    name: operator.name,
    namespace: operator.namespace ?? operator.identity.value.serviceAccount?.namespace ?? '',
    ...(workload === undefined ? {} : { workload }),
    ...(operator.image === undefined ? {} : { image: operator.image }),
    user: operator.identity.value.user,
    kinds: operator.controllers.map((controller) => controller.for.value),
    health,
    detail,
    local: workload === undefined,
  };
}

/** A process that ended well is no failure, but nobody reconciles any more. */
function endOf({ exitCode }: ProcessFact): Pick<OperatorSummary, 'health' | 'detail'> {
  if (exitCode === 0) return { health: 'degraded', detail: 'its process ended' };
  return {
    health: 'failed',
    detail: exitCode === undefined ? 'its process was ended' : `its process ended with code ${exitCode}`,
  };
}

const localHealth = { health: 'unknown', detail: 'runs outside the cluster' } as const;

function workloadHealth(
  workload: string,
  model: ClusterModel,
): { readonly health: OperatorSummary['health']; readonly detail: string } {
  const [kind = '', namespace = '', name = ''] = workload.split('/');
  const object = model
    .ofKind(`apps/${kind}`)
    .find((one) => one.metadata.namespace === namespace && one.metadata.name === name);
  const status = (object as (KubeObject & { status?: Record<string, unknown> }) | undefined)?.status;
  const spec = (object as (KubeObject & { spec?: Record<string, unknown> }) | undefined)?.spec;
  const wanted = numberOr(spec?.replicas ?? status?.desiredNumberScheduled, 1);
  const ready = numberOr(status?.readyReplicas ?? status?.numberReady, 0);
  const detail = `${ready} of ${wanted} ready`;
  if (wanted === 0) return { health: 'unknown', detail: 'scaled to 0' };
  if (ready === 0) return { health: 'failed', detail };
  return { health: ready < wanted ? 'degraded' : 'ok', detail };
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
