/**
 * hot-loop: the operator writes the object's status again and again although neither the object's spec nor anything it
 * owns changed in between, so each write is what wakes the next run. Judged on the newest minutes: a rate, the leaves that
 * move, and whether a predicate would hold such changes back. Concluded by a rule: its basis is inferred.
 */
import type { WhyStep } from '../../../shared/contract/views/why.ts';
import { say } from '../../../shared/model/whySentences.ts';
import {
  type CauseAnswer,
  type CauseRule,
  gapNotes,
  inferred,
  operatorNotes,
  step,
  versionChip,
  watched,
} from '../cause.ts';
import { changedSpec, statusWriter, type VersionNote, wroteStatus } from '../versions.ts';
import type { WhyInput } from '../whyInput.ts';

export const hotLoop: CauseRule = { id: 'hot-loop', judge };

/** What is looked at, ms. */
const windowMs = 120_000;
/** Fewer writes than this are a busy start. */
const leastWrites = 8;
/** Slower than this is a periodic requeue, not a loop, per minute. */
const leastRate = 6;
/** Of the writes at most this share may have had a reason. */
const mostExplained = 0.2;
/** A change of an owned object this long before a write may have been its reason, ms. */
const reasonMs = 1500;

interface OwnWrite {
  readonly note: VersionNote;
  readonly at: number;
}

function judge(input: WhyInput): CauseAnswer | undefined {
  const { operator, versions, now } = input;
  if (operator === undefined || operator.managers.length === 0) return undefined;
  // A predicate holds status-only changes back: then its own writes wake nothing.
  if (!operator.wokenByStatus) return undefined;
  const writes: OwnWrite[] = [];
  let explained = 0;
  for (const [index, note] of versions.entries()) {
    const before = versions[index - 1];
    const writer = statusWriter(note);
    const own = wroteStatus(note) && writer !== undefined && operator.managers.includes(writer.manager);
    if (!own || note.at.hi < now - windowMs || before === undefined) continue;
    const at = note.at.hi;
    writes.push({ note, at });
    const specMoved = changedSpec(note, before) || (!wroteStatus(before) && before.at.hi > at - reasonMs);
    const owned = input.ownedChangedAt.some((time) => time <= at && time > at - reasonMs);
    if (specMoved || owned) explained += 1;
  }
  const [first] = writes;
  const last = writes.at(-1);
  if (first === undefined || last === undefined || writes.length < leastWrites) return undefined;
  // It stopped: what was a loop a minute ago is history.
  const overMs = Math.max(1, last.at - first.at);
  const gapMs = overMs / (writes.length - 1);
  if (now - last.at > Math.max(10_000, gapMs * 5)) return undefined;
  const perMinute = Math.round(((writes.length - 1) / overMs) * 60_000);
  if (perMinute < leastRate || explained / writes.length > mostExplained) return undefined;

  const field = movingField(writes);
  const { name } = input.object;
  return {
    cause: hotLoop.id,
    question: say('question.again', { name }),
    verdict:
      field === undefined
        ? say('verdict.hotLoop', { name, operator: operator.name, n: perMinute })
        : say('verdict.hotLoop.flips', {
            name,
            operator: operator.name,
            n: perMinute,
            field: field.path,
          }),
    basis: inferred(
      hotLoop.id,
      writes.slice(-4).map(({ note }) => note.seq),
    ),
    notes: [...operatorNotes(input), ...gapNotes(input, first.at)],
    chain: [writesStep(input, writes, overMs), fieldStep(input, last, field), wakesStep(input, perMinute)],
    fix: {
      text: say('fix.predicate', { kind: input.object.kind }),
      forms: [
        {
          form: 'code',
          ...(field === undefined ? {} : { text: say('fix.predicate.detail', { field: field.path }) }),
          lines: predicateLines(input.object.kind),
          copy: 'builder.WithPredicates(predicate.GenerationChangedPredicate{})',
          loses: false,
        },
      ],
    },
    ends: 'runs',
  };
}

interface Moving {
  readonly path: string;
  readonly old: string;
  readonly new: string;
  /** It comes back to values it had before. */
  readonly flips: boolean;
}

/** The leaf that moved in most writes; it must have moved in more than half of them. */
function movingField(writes: readonly OwnWrite[]): Moving | undefined {
  const byPath = new Map<string, { count: number; values: Set<string>; old: string; now: string }>();
  for (const { note } of writes)
    for (const { path, old, new: now } of note.changed) {
      if (!path.startsWith('status')) continue;
      const seen = byPath.get(path) ?? { count: 0, values: new Set<string>(), old: '', now: '' };
      seen.count += 1;
      if (now !== undefined) seen.values.add(now);
      seen.old = old ?? '';
      seen.now = now ?? '';
      byPath.set(path, seen);
    }
  const best = [...byPath].sort(([, a], [, b]) => b.count - a.count)[0];
  if (best === undefined || best[1].count * 2 <= writes.length) return undefined;
  const [path, { count, values, old, now }] = best;
  return { path, old, new: now, flips: values.size * 2 <= count };
}

function writesStep(input: WhyInput, writes: readonly OwnWrite[], overMs: number): WhyStep {
  const first = writes[0] as OwnWrite;
  const last = writes.at(-1) as OwnWrite;
  return step({
    id: 'writes',
    root: true,
    glyph: 'degraded',
    at: first.at,
    title: say('step.selfWrites', { operator: input.operator?.name ?? '', n: writes.length, overMs }),
    detail: say('step.selfWrites.quiet'),
    basis: watched,
    chips: [
      versionChip('diff', say('chip.write'), input.object.key, first.note),
      versionChip('diff', say('chip.write'), input.object.key, last.note),
    ],
  });
}

function fieldStep(input: WhyInput, last: OwnWrite, field: Moving | undefined): WhyStep {
  return step({
    id: 'field',
    glyph: 'degraded',
    title:
      field === undefined
        ? say('step.field.none')
        : field.flips
          ? say('step.field.flips', { field: field.path, old: field.old, new: field.new })
          : say('step.field.moves', { field: field.path }),
    basis: watched,
    chips: [versionChip('diff', say('chip.write'), input.object.key, last.note)],
  });
}

function wakesStep(input: WhyInput, perMinute: number): WhyStep {
  return step({
    id: 'wakes',
    glyph: 'progressing',
    title: say('step.wakes'),
    detail: input.queue === undefined ? say('step.wakes.unless') : say('step.wakes.detail', { perMinute }),
    basis: inferred(hotLoop.id, []),
    chips:
      input.queue === undefined
        ? []
        : [
            {
              icon: 'queue',
              label: say('chip.queue'),
              basis: input.queue.basis,
              link: { to: 'queue', controller: input.queue.controller, key: input.queue.key },
            },
          ],
  });
}

function predicateLines(kind: string) {
  return [
    { text: `For(&${kind}{},`, added: false },
    { text: '  builder.WithPredicates(predicate.GenerationChangedPredicate{})).', added: true },
  ];
}
