import { describe, expect, it } from 'vitest';
import { parseLogLine, refusalText } from './logEntry.ts';

const tab = '\t';

describe('log lines', () => {
  it('[LG1] [LG5] [LG6] reads a reconcile error of zap JSON', () => {
    const line = JSON.stringify({
      level: 'error',
      ts: '2026-03-10T09:00:00Z',
      msg: 'Reconciler error',
      controller: 'conveyor',
      controllerGroup: 'chain.example.com',
      controllerKind: 'Conveyor',
      Conveyor: { name: 'line-1', namespace: 'team-a' },
      namespace: 'team-a',
      name: 'line-1',
      reconcileID: 'a6f1787a-307b-5bb4-ab6e-51bd38d7fd16',
      error: 'boom',
      stacktrace: 'main.go:1',
      attempt: 3,
    });
    expect(parseLogLine(line)).toEqual({
      format: 'json',
      at: { lo: Date.UTC(2026, 2, 10, 9), hi: Date.UTC(2026, 2, 10, 9) + 999 },
      level: 'error',
      msg: 'Reconciler error',
      error: 'boom',
      controller: 'conveyor',
      controllerGroup: 'chain.example.com',
      controllerKind: 'Conveyor',
      key: { namespace: 'team-a', name: 'line-1' },
      reconcileId: 'a6f1787a-307b-5bb4-ab6e-51bd38d7fd16',
      event: { kind: 'reconcilerError' },
      fields: { attempt: 3 },
    });
  });

  it('[LG1] reads the console form: columns by tab, fields at the end', () => {
    const fields =
      '{"controller": "jobset", "controllerKind": "JobSet", "JobSet": {"name":"a","namespace":"b"}, "reconcileID": "r"}';
    const line = ['2026-11-30T07:33:11Z', 'ERROR', 'jobset', 'updating jobset {status}', fields].join(tab);
    expect(parseLogLine(line)).toMatchObject({
      format: 'console',
      level: 'error',
      logger: 'jobset',
      msg: 'updating jobset {status}',
      controller: 'jobset',
      key: { namespace: 'b', name: 'a' },
      reconcileId: 'r',
    });
    const bare = parseLogLine(
      [
        '2026-11-30T07:33:11.250+0100',
        'INFO',
        'Starting workers',
        '{"controller": "x", "worker count": 2}',
      ].join(tab),
    );
    expect(bare).toMatchObject({ msg: 'Starting workers', event: { kind: 'startingWorkers', workers: 2 } });
    expect(bare.logger).toBeUndefined();
    expect(bare.at).toEqual({
      lo: Date.UTC(2026, 10, 30, 6, 33, 11, 250),
      hi: Date.UTC(2026, 10, 30, 6, 33, 11, 250),
    });
    const called = parseLogLine(['2026-11-30T07:33:11Z', 'DEBUG', 'ctl', 'pkg/x.go:12', 'said'].join(tab));
    expect(called).toMatchObject({
      level: 'debug',
      verbosity: 1,
      logger: 'ctl',
      caller: 'pkg/x.go:12',
      msg: 'said',
    });
  });

  it('[LG1] drops terminal colours, and reads columns that became blanks', () => {
    const line = `2026-11-30T07:33:11Z${tab}\u001b[31mERROR\u001b[0m${tab}setup${tab}failed${tab}{"error": "x"}`;
    expect(parseLogLine(line)).toMatchObject({
      format: 'console',
      level: 'error',
      logger: 'setup',
      msg: 'failed',
      error: 'x',
    });
    expect(parseLogLine('2026-11-30T07:33:11Z  ERROR  failed to start {"error": "x"}')).toMatchObject({
      format: 'console',
      msg: 'failed to start',
      error: 'x',
    });
  });

  it('[LG1] [LG3] reads klog headers, structured and plain, in the year of their arrival', () => {
    const structured =
      'E1231 23:59:59.500000   26908 controller.go:157] "re-queuing item" err="secrets \\"x\\" is forbidden" logger="cert-manager.controller" object="ns/cert" n=3 list=["a b","c"]';
    const entry = parseLogLine(structured, { nearMs: Date.UTC(2027, 0, 1) });
    expect(entry).toMatchObject({
      format: 'klog',
      at: { lo: Date.UTC(2026, 11, 31, 23, 59, 59, 500) },
      level: 'error',
      logger: 'cert-manager.controller',
      caller: 'controller.go:157',
      msg: 're-queuing item',
      error: 'secrets "x" is forbidden',
      key: { namespace: 'ns', name: 'cert' },
      fields: { n: '3', list: ['a b', 'c'] },
    });
    const plain = parseLogLine(
      'W1130 07:40:05.488310   28782 reflector.go:569] failed to list *v1.X: no "luck"',
    );
    expect(plain).toMatchObject({ format: 'klog', level: 'warning', msg: 'failed to list *v1.X: no "luck"' });
    expect(plain.at).toBeUndefined();
  });

  it('[LG1] reads logfmt and slog JSON, and keeps the rest as text', () => {
    expect(parseLogLine('time=2026-11-30T07:33:11.5Z level=WARN msg="slow queue" depth=12')).toMatchObject({
      format: 'logfmt',
      level: 'warning',
      msg: 'slow queue',
      fields: { depth: '12' },
    });
    expect(
      parseLogLine('{"time":"2026-11-30T07:33:11.5Z","level":"INFO","source":{"file":"x"},"msg":"up"}'),
    ).toMatchObject({
      level: 'info',
      msg: 'up',
      fields: {},
    });
    expect(parseLogLine('goroutine 88 [running]:\r')).toEqual({
      format: 'text',
      msg: 'goroutine 88 [running]:',
      continues: true,
      fields: {},
    });
    expect(parseLogLine('{"broken": ')).toMatchObject({ format: 'text', msg: '{"broken": ' });
    expect(parseLogLine('')).toEqual({ format: 'text', msg: '', continues: true, fields: {} });
  });

  it('[LG4] reads V levels', () => {
    expect(parseLogLine('{"level":"Level(-5)","ts":1,"msg":"Reconciling"}')).toMatchObject({
      level: 'debug',
      verbosity: 5,
    });
    expect(parseLogLine('{"ts":1767225600123.4,"v":4,"msg":"x"}')).toMatchObject({
      verbosity: 4,
      at: { lo: 1767225600123.4 },
    });
    expect(parseLogLine('{"ts":1,"err":"x","msg":"y"}')).toMatchObject({ level: 'error', error: 'x' });
    expect(parseLogLine(`2026-11-30T07:33:11Z${tab}LEVEL(-3)${tab}x`)).toMatchObject({ verbosity: 3 });
  });

  it('[LG5] finds controller fields under other spellings', () => {
    const old = parseLogLine(
      '{"level":"error","ts":1,"msg":"Reconciler error","reconciler group":"g","reconciler kind":"Widget","name":"n","namespace":"ns","controller":"widget"}',
    );
    expect(old).toMatchObject({
      controllerGroup: 'g',
      controllerKind: 'Widget',
      key: { namespace: 'ns', name: 'n' },
    });
    expect(parseLogLine('{"ts":1,"msg":"x","reconcile_id":"r","controller-kind":"K"}')).toMatchObject({
      reconcileId: 'r',
      controllerKind: 'K',
    });
    expect(parseLogLine('{"ts":1,"msg":"x","controller":"c","request":"ns/n"}').key).toEqual({
      namespace: 'ns',
      name: 'n',
    });
    expect(
      parseLogLine('{"ts":1,"msg":"x","controller":"c","controllerKind":"Node","Node":{"name":"n1"}}').key,
    ).toEqual({ namespace: '', name: 'n1' });
  });

  it('[LG6] takes namespace and name for a key only in a controller line', () => {
    const entry = parseLogLine('{"ts":1,"msg":"starting server","name":"health probe","namespace":"x"}');
    expect(entry.key).toBeUndefined();
    expect(entry.fields).toEqual({ name: 'health probe', namespace: 'x' });
  });

  it('[LG7] knows what controller-runtime reports', () => {
    const event = (msg: string, more: object = {}) =>
      parseLogLine(JSON.stringify({ level: 'Level(-5)', ts: 1, msg, ...more })).event;
    expect(event('Reconciling')).toEqual({ kind: 'reconciling' });
    expect(event('Reconcile successful')).toEqual({ kind: 'reconciled' });
    expect(event('Reconcile done, requeueing')).toEqual({ kind: 'requeued' });
    expect(event('Reconcile done, requeueing after 1m30.5s')).toEqual({ kind: 'requeued', afterMs: 90_500 });
    expect(event('Starting EventSource', { source: 'kind source: *v1alpha2.JobSet' })).toEqual({
      kind: 'startingEventSource',
      source: '*v1alpha2.JobSet',
      sourceKind: 'JobSet',
      sourceVersion: 'v1alpha2',
    });
    expect(event('Starting EventSource', { source: 'channel source: 0xc000' })).toEqual({
      kind: 'startingEventSource',
      source: 'channel source: 0xc000',
    });
    expect(event('Starting Controller')).toEqual({ kind: 'startingController' });
    expect(event('All workers finished')).toEqual({ kind: 'workersFinished' });
    expect(event('Could not wait for Cache to sync')).toEqual({ kind: 'cacheSyncFailed' });
    expect(event('Observed a panic in reconciler: x')).toEqual({ kind: 'panic' });
    expect(event('Reconcile done')).toBeUndefined();
  });

  it('keeps an error that is no string, and reads refusals from it', () => {
    const entry = parseLogLine('{"ts":1,"msg":"m","error":{"code":403}}');
    expect(refusalText(entry)).toBe('{"code":403}');
    expect(refusalText(parseLogLine('plain'))).toBe('plain');
  });
});
