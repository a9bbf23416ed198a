/** What the session knows for the walks: gathered for one key, told as steps by walkSteps.ts. */
import type { Clock } from '../../shared/base/clock.ts';
import { asRecord, asText } from '../../shared/base/json.ts';
import type { WalkQuery, WalkView } from '../../shared/contract/views/traces.ts';
import { objectKey, recordSeq } from '../../shared/model/ids.ts';
import type { KubeObject } from '../../shared/model/kube.ts';
import type { ControllerProfile, OperatorProfile } from '../../shared/model/profile.ts';
import { resourceName } from '../../shared/model/resource.ts';
import type { Span } from '../../shared/model/trace.ts';
import type { Fact, ObjectFact } from '../session/facts.ts';
import type { Recorder } from '../session/recorder.ts';
import { createControllerSources } from './controllerSources.ts';
import { createObjectIndex, type ObjectIndex } from './objectIndex.ts';
import type { OperatorsModel } from './operatorsModel.ts';
import type { KeyState, Shadows } from './shadows.ts';
import { durationText, type Known, notRanWalk, ranWalk } from './walkSteps.ts';
import type { Watched } from './watched.ts';

export interface WalksDeps {
  readonly clock: Clock;
  readonly index: ObjectIndex;
  readonly recorder: Recorder;
  readonly operators: OperatorsModel;
  readonly shadows: Shadows;
  readonly watching: Watched;
  readonly read: (seq: number) => KubeObject | undefined;
  readonly profile: () => OperatorProfile | undefined;
  /** Newest first. */
  readonly newest: () => readonly Span[];
  readonly span: (id: string) => Span | undefined;
}

export interface Walks {
  walk(query: WalkQuery): WalkView;
}

export function createWalks(deps: WalksDeps): Walks {
  const { clock, index, recorder, watching } = deps;
  const { log } = recorder;

  function notRan(query: WalkQuery, profile: OperatorProfile, controller: ControllerProfile): WalkView {
    const { key } = query;
    const main = watching.resolve(controller.for.value)[0];
    const resource = main === undefined ? controller.for.value : resourceName(main);
    const slash = key.indexOf('/');
    const object =
      main &&
      objectKey({
        group: main.group,
        kind: main.kind,
        namespace: slash < 0 ? '' : key.slice(0, slash),
        name: key.slice(slash + 1),
      });
    const state = object === undefined ? undefined : index.get(object);
    const unreadable = watching.unreadable().includes(resource);
    const spans = deps.newest().filter((span) => span.controller === query.controller && span.key === key);
    const change = object === undefined ? undefined : lastChange(object);
    const woken = change && wakes(controller, change);
    const keyState = deps.shadows.keyState(query.controller, key);
    const since = change?.now.receivedAt;
    const ran = since === undefined ? undefined : ranSince(spans, since);
    const walk = notRanWalk({
      controller: query.controller,
      key,
      ran,
      asked: {
        watched: watchedStep(resource, main !== undefined, unreadable),
        ...(unreadable || main === undefined
          ? {}
          : { scope: scopeStep(key, state, object !== undefined && watching.isListed(object)) }),
        ...(change === undefined ? {} : { changed: changedStep(change.now) }),
        ...(change === undefined || woken === undefined
          ? {}
          : { predicate: predicateStep(controller, change.now, woken) }),
        process: processStep(profile),
        ...leaderStep(profile),
        ...queueSteps(key, keyState, query.controller),
      },
    });
    return { walk };
  }

  /** The newest version of an object and the one before. */
  function lastChange(
    object: ReturnType<typeof objectKey>,
  ): { readonly before: ObjectFact | undefined; readonly now: ObjectFact } | undefined {
    const history = log.historyOf(object);
    const facts = history.slice(-2).flatMap((seq) => {
      const head = log.head(recordSeq(seq));
      return head === undefined ? [] : ((log.facts(seq) ?? []) as readonly Fact[]);
    });
    const objects = facts.filter((fact) => fact.fact === 'object');
    const now = objects.at(-1);
    return now === undefined ? undefined : { before: objects.at(-2), now };
  }

  function wakes(
    controller: ControllerProfile,
    { before, now }: { readonly before: ObjectFact | undefined; readonly now: ObjectFact },
  ): boolean {
    const sources = createControllerSources(controller, (name) => watching.resolve(name));
    const own = createObjectIndex();
    if (before !== undefined) own.apply(before);
    return sources.calls(own.apply(now)).length > 0;
  }

  function processStep(profile: OperatorProfile): Known {
    const summary = deps.operators.view().operators.find(({ id }) => id === profile.id);
    const workload = summary?.workload ?? 'the process';
    if (summary === undefined)
      return {
        verdict: 'unknown',
        text: `Whether ${workload} runs is not known: its workload was not seen.`,
      };
    const detail = summary.detail === '' ? '' : ` (${summary.detail})`;
    return summary.health === 'failed' || summary.health === 'deleting'
      ? { verdict: 'no', text: `${workload} does not run${detail}.`, basis: fromWatch }
      : { verdict: 'yes', text: `${workload} runs${detail}.`, basis: fromWatch };
  }

  function leaderStep(profile: OperatorProfile): { readonly leader?: Known } {
    const lease = profile.lease?.value;
    if (lease === undefined) return {};
    const slash = lease.indexOf('/');
    const resource = 'leases.coordination.k8s.io';
    const fact = index.get(
      objectKey({
        group: 'coordination.k8s.io',
        kind: 'Lease',
        namespace: lease.slice(0, slash),
        name: lease.slice(slash + 1),
      }),
    );
    if (fact === undefined || fact.deleted) {
      const why = watching.unreadable().includes(resource)
        ? `${permission(resource)} would tell.`
        : 'there is no such Lease.';
      return { leader: { verdict: 'unknown', text: `Who leads by the Lease ${lease} is not known: ${why}` } };
    }
    const spec = asRecord(deps.read(fact.fact.seq)?.spec);
    const holder = asText(spec?.holderIdentity);
    const duration = typeof spec?.leaseDurationSeconds === 'number' ? spec.leaseDurationSeconds : 15;
    const known = { because: [fact.fact.seq as number], basis: fromWatch };
    if (holder === '')
      return {
        leader: { ...known, verdict: 'no', text: `Nobody holds the Lease ${lease}: no worker runs.` },
      };
    const quietMs = clock.now() - fact.fact.receivedAt;
    if (quietMs > duration * 1000)
      return {
        leader: {
          ...known,
          verdict: 'no',
          text: `${holder} holds the Lease ${lease} and has not renewed it for ${durationText(quietMs)}: no worker runs.`,
        },
      };
    return { leader: { ...known, verdict: 'yes', text: `${holder} leads by the Lease ${lease}.` } };
  }

  return {
    walk(query) {
      const profile = deps.profile();
      if (profile === undefined) return { reason: 'choose-operator' };
      if (query.span !== undefined) {
        const span = deps.span(query.span);
        return span === undefined ? { reason: 'no-such-span' } : { walk: ranWalk(span) };
      }
      const controller = profile.controllers.find(({ name }) => name === query.controller);
      return controller === undefined ? { reason: 'no-controller' } : notRan(query, profile, controller);
    },
  };
}

const fromWatch = { kind: 'observed', from: 'watch' } as const;

function permission(resource: string): string {
  return `The right to list and watch ${resource}`;
}

function watchedStep(resource: string, isServed: boolean, unreadable: boolean): Known {
  if (!isServed)
    return {
      verdict: 'no',
      text: `The API server does not serve ${resource}: the controller cannot watch it.`,
    };
  if (unreadable)
    return {
      verdict: 'unknown',
      text: `What happens to ${resource} is not known: Loopscope may not read it. ${permission(resource)} would tell.`,
    };
  return { verdict: 'yes', text: `${resource} is what the controller reconciles.` };
}

function scopeStep(
  key: string,
  state: { readonly deleted: boolean; readonly fact: ObjectFact } | undefined,
  isListed: boolean,
): Known {
  if (state === undefined)
    return isListed
      ? { verdict: 'no', text: `There is no object ${key}.`, basis: fromWatch }
      : { verdict: 'unknown', text: `Whether there is an object ${key} is not known: it was not listed.` };
  const because = [state.fact.seq as number];
  return state.deleted
    ? { verdict: 'no', text: `${key} is deleted.`, because, basis: fromWatch }
    : { verdict: 'yes', text: `${key} exists.`, because, basis: fromWatch };
}

function changedStep(fact: ObjectFact): Known {
  const at = { lo: fact.receivedAt, hi: fact.receivedAt };
  const because = [fact.seq as number];
  if (fact.initial)
    return {
      verdict: 'unknown',
      text: 'It has not changed since we look; what was before was not seen.',
      because,
      basis: fromWatch,
    };
  return {
    verdict: 'yes',
    text: `Its last change came as ${fact.op === 'deleted' || fact.op === 'vanished' ? 'DELETED' : fact.op === 'added' ? 'ADDED' : 'MODIFIED'} with version ${fact.resourceVersion}.`,
    at,
    because,
    basis: fromWatch,
  };
}

function predicateStep(controller: ControllerProfile, fact: ObjectFact, wakes: boolean): Known {
  const names = controller.predicates.value;
  const because = [fact.seq as number];
  if (wakes)
    return {
      verdict: 'yes',
      text: names.length === 0 ? 'No predicate filters it.' : `It passes ${names.join(', ')}.`,
      because,
    };
  if (names.length === 0)
    return {
      verdict: 'no',
      text: 'The event tells the controller nothing: its version is the one before.',
      because,
    };
  return {
    verdict: 'no',
    text: `The change does not pass ${names.join(', ')}: ${names.includes('generationChanged') ? 'it changed neither the spec nor the deletion of the object' : 'what they look at did not change'}, so nothing was queued.`,
    because,
    basis:
      controller.predicates.basis.kind === 'inferred'
        ? { kind: 'inferred', by: 'predicates', because }
        : controller.predicates.basis,
  };
}

/** A run that began after the change, or one that goes on. */
function ranSince(spans: readonly Span[], since: number): Known | undefined {
  const [newest] = spans;
  if (newest === undefined) return { verdict: 'no', text: 'No run of it was seen.' };
  if (newest.end === undefined)
    return { verdict: 'yes', text: 'It runs now.', at: newest.start, basis: newest.basis };
  return newest.start.hi >= since
    ? {
        verdict: 'yes',
        text: `It ran since its last change; ${newest.result === undefined || newest.result === 'unknown' ? 'how the run ended is not known' : `the run ended with ${newest.result}`}.`,
        at: newest.start,
        basis: newest.basis,
      }
    : {
        verdict: 'no',
        text: 'Its last run began before its last change.',
        at: newest.start,
        basis: newest.basis,
      };
}

function queueSteps(
  key: string,
  state: KeyState | undefined,
  controller: string,
): { readonly queued?: Known; readonly parked?: Known; readonly worker?: Known } {
  if (state === undefined)
    return { queued: { verdict: 'unknown', text: `The queue of ${controller} is not modelled yet.` } };
  switch (state.state) {
    case 'idle':
      return {
        queued: {
          verdict: 'no',
          text: `By the model ${key} is not queued: nothing woke it since its last run.`,
        },
      };
    case 'ready':
      return {
        queued: { verdict: 'yes', text: `By the model ${key} is due and waits in the queue.` },
        worker: {
          verdict: 'no',
          text: `Every worker of ${controller} is busy with another key, by the model.`,
        },
      };
    case 'running':
      return {
        queued: { verdict: 'yes', text: `By the model a worker of ${controller} has ${key} right now.` },
      };
    case 'waiting': {
      const { wait } = state;
      const why =
        wait === undefined
          ? ''
          : wait.why === 'after'
            ? ' as its run before asked'
            : ` after ${state.failures} failure${state.failures === 1 ? '' : 's'} in a row`;
      const at = state.nextRunAt === undefined ? {} : { at: { lo: state.nextRunAt, hi: state.nextRunAt } };
      const delay = wait === undefined ? '' : ` for ${durationText(wait.delayMs)}`;
      const doubt = state.doubted ? '; the delays seen do not fit its limiter, so the time may be wrong' : '';
      return {
        queued: { verdict: 'yes', text: `${key} was put into the queue to run later.` },
        parked: {
          verdict: 'no',
          text: `${key} is parked${delay}${why}${doubt}.`,
          ...at,
          basis: wait?.basis ?? { kind: 'inferred', by: 'shadow-queue', because: [] },
        },
      };
    }
  }
}
