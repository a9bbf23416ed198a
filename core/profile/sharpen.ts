/**
 * A guessed profile made exact by what the operator reports. Pure: give it the inferred profile each time, not its own
 * result. What the user edited is never touched here (edits are applied after). Spec: docs/spec/profile.md
 */
import type { ControllerProfile, Known, OperatorProfile } from '../../shared/model/profile.ts';
import { type ApiResource, resourceName } from '../../shared/model/resource.ts';
import type { ReportedController, ReportedControllers } from './evidence.ts';
import { defaultController, inferred, reported } from './known.ts';
import { splitResourceName } from './resourceNames.ts';

/**
 * Controllers that report themselves replace guesses for the same kind; sources, workers and queue kind become reported.
 * Guessed controllers of which the operator says nothing stay as they are.
 */
export function sharpen(
  profile: OperatorProfile,
  evidence: ReportedControllers,
  resources: readonly ApiResource[],
): OperatorProfile {
  if (evidence.size === 0) return profile;
  const controllers = new Map(profile.controllers.map((controller) => [controller.name, controller]));
  const guesses = new Set<string>();
  for (const one of evidence.values()) {
    const guess = guessFor(one, profile.controllers, resources);
    const forKind = forKindOf(one, guess, resources);
    if (forKind === undefined) continue;
    if (guess !== undefined && guess.name !== one.name) guesses.add(guess.name);
    controllers.set(one.name, sharpenOne(one, forKind, guess, resources));
  }
  for (const name of guesses) if (!evidence.has(name)) controllers.delete(name);
  return { ...profile, controllers: [...controllers.values()] };
}

/** The guessed controller that this reported one is: by name, by kind, or named after the guess's resource. */
function guessFor(
  one: ReportedController,
  guesses: readonly ControllerProfile[],
  resources: readonly ApiResource[],
): ControllerProfile | undefined {
  const byName = guesses.find((guess) => guess.name === one.name);
  if (byName !== undefined) return byName;
  if (one.kind !== undefined) {
    const name = kindName(one, resources);
    return guesses.find((guess) => guess.for.value === name);
  }
  const fits = guesses.filter((guess) => {
    const plural = splitResourceName(guess.for.value).resource;
    return one.name === plural || one.name.startsWith(`${plural}-`);
  });
  return fits.length === 1 ? fits[0] : undefined;
}

function kindName(one: ReportedController, resources: readonly ApiResource[]): string | undefined {
  const resource = resources.find((known) => known.group === (one.group ?? '') && known.kind === one.kind);
  return resource === undefined ? undefined : resourceName(resource);
}

function forKindOf(
  one: ReportedController,
  guess: ControllerProfile | undefined,
  resources: readonly ApiResource[],
): Known<string> | undefined {
  const name = one.kind === undefined ? undefined : kindName(one, resources);
  if (name !== undefined)
    return reported(name, 'log', `Its log names ${one.kind} as the kind of controller ${one.name}.`);
  if (guess === undefined) return undefined;
  if (guess.name === one.name) return guess.for;
  return inferred(
    guess.for.value,
    'named-after',
    `Controller ${one.name} is named after ${splitResourceName(guess.for.value).resource}; ${lowerFirst(guess.for.why)}`,
  );
}

function sharpenOne(
  one: ReportedController,
  forKind: Known<string>,
  guess: ControllerProfile | undefined,
  resources: readonly ApiResource[],
): ControllerProfile {
  const base: ControllerProfile = {
    ...(guess ?? defaultController(one.name, forKind)),
    name: one.name,
    for: forKind,
  };
  const sources = one.started && one.sources.length > 0 ? sourcesOf(one, base, resources) : {};
  return {
    ...base,
    ...sources,
    ...(one.workers === undefined
      ? {}
      : {
          maxConcurrentReconciles: reported(
            one.workers,
            one.workersFrom ?? 'log',
            one.workersFrom === 'metrics'
              ? 'controller_runtime_max_concurrent_reconciles says so.'
              : 'Its log says so: "Starting workers".',
          ),
        }),
    ...(one.queue === undefined ? {} : { queue: queueOf(one, one.queue) }),
  };
}

function queueOf(one: ReportedController, kind: 'priority' | 'classic'): Known<'priority' | 'classic'> {
  if (one.queueFrom === 'log')
    return reported(kind, 'log', 'Its log announces the controller the way client-go controllers do.');
  return reported(
    kind,
    'metrics',
    kind === 'priority' ? 'workqueue_depth carries a priority.' : 'workqueue_depth carries no priority.',
  );
}

/**
 * Event sources are kinds: the For kind itself, owned kinds, and others. A source is taken for an owned kind when the
 * guess has it; what is left is watched through some mapping that no log tells.
 */
function sourcesOf(
  one: ReportedController,
  base: ControllerProfile,
  resources: readonly ApiResource[],
): Pick<ControllerProfile, 'owns' | 'watches'> {
  const owns: string[] = [];
  const watches: { resource: string; maps: string }[] = [];
  for (const source of one.sources) {
    const names = resources
      .filter((known) => known.kind === source.kind && known.version === source.version)
      .map(resourceName);
    if (source.kind === one.kind && names.includes(base.for.value as never)) continue;
    const owned = names.find((name) => base.owns.value.includes(name));
    if (owned !== undefined) owns.push(owned);
    else if (names[0] !== undefined) watches.push({ resource: names[0], maps: 'owner' });
  }
  const why = 'Its log lists an event source for each: "Starting EventSource".';
  return {
    owns: reported(owns.sort(), 'log', why),
    watches:
      watches.length === 0
        ? reported([], 'log', why)
        : inferred(
            watches,
            'watch-mapping',
            `${why} How they map to keys is not logged; an owner reference is assumed.`,
          ),
  };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
