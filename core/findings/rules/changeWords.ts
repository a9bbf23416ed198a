/** What rules about writes share: whose manager it is, evidence of a version, how often something happens. */
import type { Writer } from '../../../shared/contract/views/objects.ts';
import type { Evidence } from '../../../shared/model/finding.ts';
import type { OperatorProfile } from '../../../shared/model/profile.ts';
import type { Change } from '../../objects/changes.ts';
import type { SeenHistory, SeenVersion } from '../../trace/detectors/seen.ts';
import type { FindingContext } from '../findingInput.ts';

/** The operator that writes under this name, and under names made of it and a controller's. */
export function operatorOf(context: FindingContext, manager: string): OperatorProfile | undefined {
  return context.input.profiles.find((profile) =>
    profile.fieldManagers.value.some((name) => manager === name || manager.startsWith(`${name}-`)),
  );
}

/**
 * Who made a version. Objects that were cut to what changed may carry no managedFields: then, where only the status moved,
 * the one manager that owns status in the newest version; undefined where nothing tells.
 */
export function writerOf(history: SeenHistory, version: SeenVersion): Writer | undefined {
  const [first] = version.writers;
  if (first !== undefined) return first;
  if (!isStatusOnly(version)) return undefined;
  const status = history.managers.filter((entry) => entry.subresource === 'status');
  return new Set(status.map(({ manager }) => manager)).size === 1 ? status[0] : undefined;
}

export function isStatusOnly({ changes }: SeenVersion): boolean {
  return changes.length > 0 && changes.every((change) => isUnder(change, 'status'));
}

export function isUnder({ steps }: Change, field: string): boolean {
  const [first] = steps;
  return first?.kind === 'field' && first.name === field;
}

export function evidenceOf(version: SeenVersion, text: string, from: 'watch' | 'file'): Evidence {
  return {
    text,
    basis: { kind: 'observed', from },
    at: new Date(version.at).toISOString(),
    ...version.place,
  };
}

/** `"1"` of JSON without its quotes, cut to `most` characters; `unset` where there is nothing. */
export function valueText(value: unknown, most = 60): string {
  if (value === undefined) return 'unset';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** `every 15 s`, `30 times a minute`. */
export function paceText(gapMs: number): string {
  if (gapMs >= 2000) return `every ${Math.round(gapMs / 1000)} s`;
  return `${Math.round(60_000 / Math.max(1, gapMs))} times a minute`;
}

/** Middle of the distances between times in ascending order; Infinity for fewer than two. */
export function medianGap(times: readonly number[]): number {
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  gaps.sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)] ?? Number.POSITIVE_INFINITY;
}

/** Whether what goes on at this pace was still going on at `now` (ms), or stopped too long ago to be a fault of now. */
export function stillGoesOn(lastAt: number, gapMs: number, now: number): boolean {
  return now - lastAt <= Math.max(60_000, 4 * gapMs);
}
