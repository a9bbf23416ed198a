/** When the key runs next, what follows if nothing changes, and what would wake it. Spec: docs/spec/why.md */
import type { Sentence, WhyNext } from '../../shared/contract/views/why.ts';
import { say } from '../../shared/model/whySentences.ts';
import type { CauseAnswer } from './cause.ts';
import type { KeyQueueNote, WhyInput } from './whyInput.ts';

/** Attempts shown after the next one: the last stands for all that follow at the cap. */
const shownLater = 3;

export function nextOf(input: WhyInput, answer: CauseAnswer): WhyNext | undefined {
  const { queue } = input;
  if (queue === undefined) return undefined;
  const waiting = queue.state === 'waiting';
  const failing = queue.failures > 0;
  return {
    controller: queue.controller,
    key: queue.key,
    state: queue.state,
    text:
      input.operator?.runs === 'notRunning'
        ? say('next.notRunning', { operator: input.operator.name })
        : textOf(queue),
    ...(queue.runsAt === undefined ? {} : { runsAt: queue.runsAt }),
    ...(queue.since === undefined ? {} : { since: queue.since }),
    ...(queue.delayMs === undefined ? {} : { delayMs: queue.delayMs }),
    ...(failing ? { attempt: queue.failures + 1 } : {}),
    certain: queue.certain,
    basis: queue.basis,
    ends: answer.ends ?? 'runs',
    later: waiting && failing && queue.runsAt !== undefined ? laterOf(queue, queue.runsAt) : [],
    ...matchedOf(queue),
  };
}

function textOf(queue: KeyQueueNote): Sentence {
  switch (queue.state) {
    case 'running':
      return say('next.running');
    case 'ready':
      return say('next.ready');
    case 'idle':
      return say('next.idle');
    case 'waiting':
      break;
  }
  const { delayMs, failures } = queue;
  if (delayMs === undefined) return say('next.unknown');
  if (queue.why === 'after' || queue.why === 'rateLimited' || failures === 0)
    return say('next.after', { delayMs });
  const capMs = queue.stepsMs.at(-1);
  if (queue.why === 'atCap' && capMs !== undefined) return say('next.cap', { capMs, attempt: failures });
  const formula = formulaOf(queue);
  return formula === undefined
    ? say('next.backoff.plain', { delayMs, attempt: failures })
    : say('next.backoff', { formula, attempt: failures });
}

/** `5 ms × 2¹⁶`: only where base, factor and count give the delay that was seen. */
function formulaOf({ baseMs, factor, failures, delayMs, certain }: KeyQueueNote): string | undefined {
  if (baseMs === undefined || factor === undefined || delayMs === undefined || !certain) return undefined;
  const expected = baseMs * factor ** (failures - 1);
  if (Math.abs(expected - delayMs) > delayMs * 0.02) return undefined;
  const base = baseMs < 1000 ? `${baseMs} ms` : `${baseMs / 1000} s`;
  const power = [...String(failures - 1)].map((digit) => superscripts[Number(digit)]).join('');
  return `${base} × ${factor}${power}`;
}
const superscripts = [...'⁰¹²³⁴⁵⁶⁷⁸⁹'];

/** Attempts by the limiter's own steps. The time a run takes is left out: it is small beside the delays. */
function laterOf(queue: KeyQueueNote, runsAt: number): WhyNext['later'] {
  const { stepsMs, nextDelayMs, failures } = queue;
  const cap = stepsMs.at(-1) ?? nextDelayMs;
  const start = stepsMs.findIndex((delay) => Math.abs(delay - nextDelayMs) <= nextDelayMs * 0.01);
  const later: { at: number; attempt: number; delayMs: number; atCap: boolean }[] = [];
  let at = runsAt;
  for (let index = 0; index < shownLater; index++) {
    const delayMs = index === 0 || start < 0 ? nextDelayMs : (stepsMs[start + index] ?? cap);
    const atCap = delayMs >= cap * 0.999;
    later.push({ at, attempt: failures + 1 + index, delayMs, atCap });
    if (atCap) break;
    at += delayMs;
  }
  return later;
}

function matchedOf({ predictions }: KeyQueueNote): { readonly matched?: Sentence } {
  const { hit, judged, largestMs } = predictions;
  if (judged === 0) return {};
  return {
    matched:
      hit === judged
        ? say('next.matched', { n: judged, maxMs: largestMs })
        : say('next.matched.some', { n: hit, of: judged }),
  };
}

/** What runs the key once the cause is gone, in one order: the fix itself, the object, what it owns, the operator. */
export function wakesOf(input: WhyInput, answer: CauseAnswer): readonly Sentence[] {
  const { queue, operator, object } = input;
  const { kind } = object;
  if (queue === undefined || operator === undefined) return [];
  if (operator.runs === 'notRunning') return [say('wake.start', { operator: operator.name })];
  const attempt = queue.failures + 1;
  const waits = queue.state === 'waiting' && queue.failures > 0;
  const wakes: Sentence[] = [];
  if (answer.mendedElsewhere === 'role')
    wakes.push(waits ? say('wake.role', { kind, attempt }) : say('wake.role.idle', { kind }));
  else if (answer.mendedElsewhere === 'object' && waits) wakes.push(say('wake.elsewhere', { kind, attempt }));
  wakes.push(operator.wokenByStatus ? say('wake.object.any', { kind }) : say('wake.object.spec', { kind }));
  if (operator.ownedKinds.length > 0) wakes.push(say('wake.owned', { kinds: operator.ownedKinds }));
  wakes.push(say('wake.restart', { operator: operator.name }));
  return wakes;
}
