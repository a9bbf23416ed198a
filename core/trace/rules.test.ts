import { describe, expect, it } from 'vitest';
import { type ObjectKey, recordSeq, sourceId } from '../../shared/model/ids.ts';
import type { Span } from '../../shared/model/trace.ts';
import { worldKnobs } from './testOperator.ts';
import { assembleTraces, createTraceBook } from './traceBook.ts';
import type { Evidence, LineEvidence, ProcessEvidence, WokenEvidence, WriteEvidence } from './traceTypes.ts';

const T = 1_790_000_000_000;
const key = 'shop/orders';
const object = 'db.example.com/Database/shop/orders' as ObjectKey;

/** Evidence of one key at ms after T, one record each, numbered as they are made. */
class Script {
  readonly pieces: Evidence[] = [];
  private seq = 0;

  base(at: number, width = 0) {
    this.seq += 1;
    const when = { lo: T + at, hi: T + at + width };
    return { seq: recordSeq(this.seq), at: when, receivedAt: T + at + width, controller: 'database', key };
  }

  line(at: number, more: Partial<LineEvidence> = {}, width = 0): this {
    this.pieces.push({
      ...this.base(at, width),
      evidence: 'line',
      source: sourceId('log:1'),
      ownClock: true,
      reconcileId: undefined,
      says: 'within',
      result: undefined,
      afterMs: undefined,
      error: undefined,
      level: 'info',
      text: 'line',
      names: [],
      probe: false,
      ...more,
    });
    return this;
  }

  /** A whole run at V(5). */
  run(
    id: string,
    start: number,
    end: number,
    result: LineEvidence['result'] = 'success',
    afterMs?: number,
  ): this {
    const error = result === 'error' || result === 'terminal' ? 'no quota' : undefined;
    this.line(start, { reconcileId: id, says: 'started' });
    return this.line(end, { reconcileId: id, says: 'ended', result, afterMs, error });
  }

  woken(at: number, more: Partial<WokenEvidence> = {}): this {
    this.pieces.push({
      ...this.base(at),
      evidence: 'woken',
      source: sourceId('watch:a'),
      ownClock: false,
      trigger: { type: 'MODIFIED', object, subject: 'Database/shop/orders', text: 'Database MODIFIED' },
      initial: false,
      gone: false,
      ...more,
    });
    return this;
  }

  /** A stored write, and by the same record the event that it woke the key with. */
  write(
    at: number,
    version: string,
    more: { readonly wakes?: boolean; readonly subject?: string } = {},
  ): this {
    const { wakes = false, subject = 'ConfigMap/shop/orders' } = more;
    const piece: WriteEvidence = {
      ...this.base(at),
      evidence: 'write',
      source: sourceId('watch:a'),
      ownClock: false,
      write: {
        object: `/${subject}`,
        subject,
        verb: 'update',
        subresource: '',
        resourceVersion: version,
        outcome: 'stored',
        fields: [],
        changes: 1,
      },
      basis: { kind: 'observed', from: 'watch' },
      by: 'owner',
    };
    this.pieces.push(piece);
    if (wakes) {
      this.woken(at, { resourceVersion: version });
      const event = this.pieces[this.pieces.length - 1];
      if (event !== undefined) this.pieces[this.pieces.length - 1] = { ...event, seq: piece.seq };
    }
    return this;
  }

  event(at: number): this {
    this.pieces.push({
      ...this.base(at),
      evidence: 'event',
      source: sourceId('watch:e'),
      ownClock: true,
      event: { object, type: 'Normal', reason: 'Ready', message: 'ready', count: 1 },
    });
    return this;
  }

  process(at: number, event: ProcessEvidence['event'], holder?: string): this {
    const { controller: _controller, key: _key, ...base } = this.base(at);
    this.pieces.push({
      ...base,
      evidence: 'process',
      source: sourceId('self'),
      ownClock: false,
      event,
      controller: undefined,
      holder,
      workers: undefined,
    });
    return this;
  }

  /** Oldest first; `until` ms after T the watermark. */
  spans(until = 60_000): readonly Span[] {
    return assembleTraces(this.pieces, worldKnobs(1), T + until).toReversed();
  }
}

function script(): Script {
  return new Script();
}

const error = { says: 'ended', result: 'error', error: 'no quota', level: 'error' } as const;

describe('rules of spans', () => {
  it('[TR2] keeps a recovered panic a panic', () => {
    const [span] = script()
      .line(0, { reconcileId: 'a', says: 'started' })
      .line(5, { reconcileId: 'a', says: 'ended', result: 'panic' })
      .line(5, { reconcileId: 'a', ...error, error: 'panic: nil map [recovered]' })
      .spans();
    expect(span).toMatchObject({ id: 'a', result: 'panic', error: 'panic: nil map [recovered]', lines: 3 });
  });

  it('[TR4] counts lines without an id to the run whose end they lead up to', () => {
    const spans = script()
      .line(0, { text: 'creating children' }, 999)
      .line(3_000, { text: 'updating status', level: 'error', error: 'forbidden' }, 999)
      .line(3_000, error, 999)
      .line(3_000, { text: 'updating status', level: 'error', error: 'forbidden' }, 999)
      .line(3_000, error, 999)
      .spans();
    expect(spans.map(({ result, lines }) => [result, lines])).toEqual([
      ['unknown', 1],
      ['error', 2],
      ['error', 2],
    ]);
  });

  it('[TR16] gives an Event of the millisecond in which one run ended and the next was over to the first', () => {
    const at = (start: number, end: number, reconcileId: string, piece: Script) =>
      piece
        .line(start, { reconcileId, says: 'started' })
        .line(end, { reconcileId, says: 'ended', result: 'success' });
    const piece = at(100, 100, 'b', at(20, 100, 'a', script())).event(100.4);
    expect(piece.spans().map(({ id, events }) => [id, events])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
    const later = at(100, 180, 'b', at(20, 100, 'a', script())).event(101.4);
    expect(later.spans().map(({ id, events }) => [id, events])).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
  });

  it('[TR3] makes every error without a reconcileID a run that ended then', () => {
    const spans = script().line(100, error).line(5_000, error).spans();
    expect(spans.map((span) => [span.result, span.end?.hi])).toEqual([
      ['error', T + 100],
      ['error', T + 5_000],
    ]);
  });

  it('[TR5] orders runs of one second by their lines', () => {
    const s = script();
    for (const id of ['a', 'b', 'c']) s.line(0, { reconcileId: id, ...error }, 999);
    expect(s.spans().map((span) => span.id)).toEqual(['a', 'b', 'c']);
  });

  it('[TR7] gives a run without an end the end of its process, and no end while it goes on', () => {
    const s = script().process(0, 'started').run('a', 10, 20).line(30, { reconcileId: 'b', says: 'started' });
    expect(s.spans()[1]).toMatchObject({ id: 'b', provisional: true });
    expect(s.spans()[1]?.result).toBeUndefined();
    const [, ended] = s.process(500, 'exited').spans();
    expect(ended).toMatchObject({ result: 'unknown', end: { hi: T + 500 } });
    expect(ended?.notes).toContain('The process ended while it ran.');
  });

  it('[TR8] puts every write into one run, made where none was told', () => {
    const spans = script().write(100, '5').write(160, '6').write(30_000, '7').spans();
    expect(spans.map((span) => span.writeList.map((write) => write.resourceVersion))).toEqual([
      ['5', '6'],
      ['7'],
    ]);
    expect(spans[0]?.basis).toMatchObject({ kind: 'inferred', by: 'writes' });
  });

  it('[TR9] splits writes seconds apart only where something woke another run', () => {
    expect(script().write(100, '5').write(3_000, '6').spans()).toHaveLength(1);
    expect(script().write(100, '5').woken(2_900).write(3_000, '6').spans()).toHaveLength(2);
  });

  it('[TR10] forces a run for an event that no run took up, after the watermark', () => {
    const s = script()
      .line(0, { reconcileId: 'a', ...error })
      .woken(20_000);
    expect(
      s.spans(21_000).filter((span) => span.basis.kind === 'inferred' && span.trigger?.type === 'MODIFIED'),
    ).toHaveLength(0);
    expect(s.spans().filter((span) => span.trigger?.type === 'MODIFIED')).toHaveLength(1);
  });

  it('[TR10] forces none where the log has lines of runs that went well, nor for a controller that never acts', () => {
    expect(script().line(0, { reconcileId: 'a' }).woken(20_000).spans()).toHaveLength(1);
    expect(script().woken(20_000).spans()).toHaveLength(0);
  });

  it('[TR11] takes a write told by audit and by its event as one', () => {
    const s = script().run('a', 0, 100).write(110, '5');
    const told = s.pieces[s.pieces.length - 1];
    if (told?.evidence !== 'write') throw new Error('no write');
    const base = s.base(50);
    s.pieces.push({ ...told, ...base, source: sourceId('audit:1'), ownClock: true, by: 'audit' });
    const [span] = s.spans();
    expect(span?.writeList).toHaveLength(1);
    expect(span?.writeList[0]?.at.hi).toBe(T + 50);
  });

  it('[TR14] gives a write to the run before the one that its event woke', () => {
    const spans = script()
      .woken(0)
      .run('a', 1, 20)
      .run('b', 20.2, 26)
      .write(23, '5', { wakes: true })
      .spans();
    expect(spans[0]?.writeList).toHaveLength(1);
    expect(spans[1]?.triggerList[0]?.writer).toMatchObject({ own: true, span: 'a' });
  });

  it('[TR14] goes by the names in lines where times cannot tell', () => {
    const s = script();
    for (const [id, name] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'z'],
    ] as const)
      s.line(0, { reconcileId: id, names: [name], text: `created ${name}` }, 999);
    for (const [version, name] of [
      ['5', 'x'],
      ['6', 'y'],
      ['7', 'z'],
    ] as const)
      s.write(500, version, { subject: `ConfigMap/shop/${name}` });
    expect(s.spans().map((span) => span.writeList.map((write) => write.resourceVersion))).toEqual([
      ['5'],
      ['6'],
      ['7'],
    ]);
  });

  it('[TR17] collapses what came while queued, and makes one more run of what came while running', () => {
    const spans = script().woken(0).woken(1).run('a', 2, 50).woken(10).woken(30).run('b', 51, 60).spans();
    expect(spans.map((span) => span.triggerList.map((trigger) => trigger.collapsed))).toEqual([
      [false, true],
      [false, true],
    ]);
    expect(spans[1]?.waitMs).toEqual({ lo: 41, hi: 41 });
  });

  it('[TR18] explains a retry by the delay after the failures so far', () => {
    const spans = script()
      .woken(0, { trigger: { type: 'ADDED', text: 'Database ADDED' } })
      .run('a', 1, 2, 'error')
      .run('b', 7, 8, 'error')
      .run('c', 18, 19)
      .spans();
    expect(spans.map((span) => [span.trigger?.text, span.failures])).toEqual([
      ['Database ADDED', 0],
      ['backoff of 5 ms after failure 1', 1],
      ['backoff of 10 ms after failure 2', 2],
    ]);
  });

  it('[TR18] calls no run a retry that came before its delay was over', () => {
    const piece = script().woken(0, { trigger: { type: 'ADDED', text: 'Database ADDED' } });
    let at = 1;
    for (let failure = 1; failure <= 9; failure += 1) {
      piece.run(`r${failure}`, at, at + 1, 'error');
      at += 1 + 5 * 2 ** (failure - 1);
    }
    const late = at - 1280 + 1100;
    // Its line was received late: not early enough to say so.
    const kept = [...piece.pieces];
    expect(piece.run('late', late, late + 1).spans()[9]?.trigger?.type).toBe('retry');
    piece.pieces.splice(0, piece.pieces.length, ...kept);
    expect(piece.run('early', at - 1000, at - 999).spans()[9]?.trigger?.type).toBe('unseen');
  });

  it('[TR18] lets an event before the delay be the cause, and knows requeue-after', () => {
    const spans = script()
      .run('a', 0, 2, 'requeue-after', 3_000)
      .woken(500)
      .run('b', 501, 502, 'requeue-after', 3_000);
    const list = spans.run('c', 3_503, 3_504).spans();
    expect(list.map((span) => span.trigger?.type)).toEqual(['unseen', 'MODIFIED', 'requeue-after']);
    expect(list[1]?.next).toMatchObject({ by: 'predicted', span: 'c' });
  });

  it('[TR18] forces no run by a limiter that retries do not keep', () => {
    const s = script().woken(0, { trigger: { type: 'ADDED', text: 'Database ADDED' } });
    for (const at of [10, 1_020, 5_030, 13_040, 43_050]) s.line(at, error);
    expect(s.spans(120_000).map((span) => span.result)).toEqual([
      'error',
      'error',
      'error',
      'error',
      'error',
    ]);
  });

  it('[TR10] knows what was there when the operator was up already for no reason to run', () => {
    const listed = { initial: true, trigger: { type: 'ADDED', text: 'Database ADDED' } } as const;
    const before = script().line(-60_000, error).line(-20_000, error);
    expect(before.woken(0, listed).line(41_000, error).spans(90_000)).toHaveLength(3);
    const early = script().process(-60_000, 'workers').line(-59_000, error).woken(0, listed);
    expect(early.spans()).toHaveLength(1);
    const soon = script().process(-60_000, 'started').run('a', -59_000, -58_999).woken(0, listed);
    expect(soon.run('b', 1_000, 1_001, 'error').spans()[1]?.trigger?.type).toBe('unseen');
    const later = script().woken(0, listed).process(5_000, 'started').line(60_000, error);
    expect(later.spans(90_000).map(({ trigger }) => trigger?.type)).toEqual(['initial', 'unseen']);
  });

  it('[TR19] says initial after a start, unseen where nothing explains, and counts terminal errors in the row', () => {
    const spans = script()
      .process(0, 'started')
      .run('a', 100, 101, 'terminal')
      .run('b', 9_000, 9_001, 'error')
      .run('c', 9_006.5, 9_007)
      .spans();
    expect(spans.map((span) => [span.trigger?.type, span.failures])).toEqual([
      ['initial', 0],
      ['unseen', 1],
      ['retry', 2],
    ]);
  });

  it('[TR19] takes the news that an object was made, where it came late, for what woke its first run', () => {
    const made = {
      trigger: { type: 'ADDED', object, subject: 'Database/shop/orders', text: 'Database ADDED' },
    } as const;
    const first = (startedAt: number, newsAt: number) =>
      script()
        .process(startedAt, 'started')
        .run('a', 2_000, 2_001)
        .woken(newsAt, made)
        .spans()
        .find(({ reconcileId }) => reconcileId === 'a')?.trigger?.type;
    expect(first(0, 2_150)).toBe('ADDED');
    // As likely made before the process started, or long after the run.
    expect(first(1_950, 2_150)).toBe('initial');
    expect(first(-60_000, 5_000)).toBe('initial');
  });

  it('[TR20] counts lives, and what was failing before a restart counts no more', () => {
    const spans = script()
      .process(0, 'started')
      .run('a', 10, 11, 'error')
      .process(1_000, 'exited')
      .process(2_000, 'started')
      .run('b', 2_100, 2_101)
      .spans();
    expect(spans.map((span) => [span.life, span.failures])).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(spans[0]?.next?.by).toBe('restart');
  });

  it('[TR22] infers nothing while the process is down or another replica leads', () => {
    const s = script()
      .line(0, { reconcileId: 'a', ...error })
      .process(1_000, 'exited')
      .woken(20_000);
    expect(s.spans()).toHaveLength(1);
    const other = script()
      .line(0, { reconcileId: 'a', ...error })
      .process(1_000, 'lost')
      .woken(20_000);
    expect(other.spans().filter((span) => span.trigger?.type === 'MODIFIED')).toHaveLength(0);
  });

  it('[TR27] keeps writes of no key apart, with a reason', () => {
    const s = script().write(0, '5', { subject: 'Lease/ops/lock' });
    const book = createTraceBook(worldKnobs(1));
    for (const piece of s.pieces)
      book.add(piece.evidence === 'write' ? { ...piece, controller: '', key: '' } : piece);
    expect(book.spans()).toEqual([]);
    expect(book.outside()[0]?.why).toMatch(/leader election/);
  });
});
