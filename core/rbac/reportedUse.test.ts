import { describe, expect, it } from 'vitest';
import { parseLogLine } from '../source/log/logEntry.ts';
import { createReportedUse, type ResolveKind } from './reportedUse.ts';
import { accessFromWriter, type FirstSight, movedWriters, verbOfWriter, type WriterHead } from './writes.ts';

const served: Readonly<Record<string, { readonly group: string; readonly resource: string }>> = {
  'Pod v1': { group: '', resource: 'pods' },
  'Issuer v1': { group: 'cert-manager.io', resource: 'issuers' },
};
const resolve: ResolveKind = (kind, version) => served[`${kind} ${version}`];

function use(lines: readonly string[]): readonly string[] {
  const reported = createReportedUse(resolve);
  return lines
    .flatMap((line) => reported.add(parseLogLine(line), { seq: 1 }, 'u'))
    .map(({ verb, resource, apiGroup, namespace, name }) =>
      [verb, `${resource}.${apiGroup}`, namespace, name].filter(Boolean).join(' '),
    );
}

const source = JSON.stringify({
  ts: 1,
  msg: 'Starting EventSource',
  controller: 'c',
  source: 'kind source: *v1.Pod',
});
const unknown = JSON.stringify({
  ts: 1,
  msg: 'Starting EventSource',
  controller: 'c',
  source: 'kind source: *v1.Odd',
});
const workers = JSON.stringify({ ts: 1, msg: 'Starting workers', controller: 'c', 'worker count': 1 });

describe('rights a log shows in use', () => {
  it('takes list and watch of a source for used once its workers start, not before', () => {
    expect(use([source, unknown])).toEqual([]);
    expect(use([source, unknown, workers])).toEqual(['list pods.', 'watch pods.']);
    expect(use([source, workers.replace('"c"', '"other"')])).toEqual([]);
  });

  it('reads populated caches of client-go in both spellings', () => {
    expect(
      use([
        'I1130 07:40:04.565703   28782 reflector.go:376] Caches populated for *v1.Issuer from k8s.io/client-go/x.go:1',
      ]),
    ).toEqual(['list issuers.cert-manager.io', 'watch issuers.cert-manager.io']);
    expect(
      use([
        'I1130 07:40:04.565703   28782 reflector.go:430] "Caches populated" type="*v1.Pod" reflector="x"',
      ]),
    ).toHaveLength(2);
  });

  it('reads an acquired lease in both spellings', () => {
    const expected = [
      'get leases.coordination.k8s.io ns lock.example.com',
      'update leases.coordination.k8s.io ns lock.example.com',
    ];
    expect(
      use([
        'I1130 07:40:04.565703   28782 leaderelection.go:271] successfully acquired lease ns/lock.example.com',
      ]),
    ).toEqual(expected);
    expect(
      use([JSON.stringify({ ts: 1, msg: 'Successfully acquired lease', lock: 'ns/lock.example.com' })]),
    ).toEqual(expected);
    expect(
      use([
        'I1130 07:40:04.565703   28782 leaderelection.go:257] attempting to acquire leader lease ns/lock...',
      ]),
    ).toEqual([]);
  });
});

describe('writes that managedFields show', () => {
  const status = { manager: 'op', operation: 'Update', subresource: 'status', time: '2026-01-01T00:00:05Z' };
  const spec = { manager: 'op', operation: 'Update', time: '2026-01-01T00:00:01Z' };
  const foreign = { manager: 'helm', operation: 'Update', time: '2026-01-01T00:00:09Z' };

  it('finds the entries of the operator that moved', () => {
    expect(movedWriters([], [status, spec, foreign], ['op'])).toEqual([status, spec]);
    expect(
      movedWriters([status, spec], [{ ...status, time: '2026-01-01T00:00:09Z' }, spec], ['op']),
    ).toHaveLength(1);
    expect(movedWriters([status], [status, foreign], ['op'])).toEqual([]);
  });

  it('concludes the verb from operation, creation time and who else wrote', () => {
    const by = { ...foreign, time: spec.time };
    const verb = (writer: WriterHead, all: readonly WriterHead[], sight: FirstSight) =>
      verbOfWriter(writer, all, spec.time, sight);
    expect(verb(spec, [spec, status], 'first')).toBe('create');
    expect(verb(spec, [spec], 'created')).toBe('create');
    expect(verb(status, [spec, status], 'created')).toBe('update');
    expect(verb({ ...spec, operation: 'Apply' }, [spec], 'created')).toBe('patch');
    expect(verb({ ...spec, time: status.time }, [spec], 'first')).toBe('update');
    // A finalizer within the second of creation, by an operator that did not create.
    expect(verb(spec, [by, spec], 'later')).toBe('update');
    expect(verb(spec, [by, spec], 'first')).toBeUndefined();
    expect(verb(spec, [foreign, spec], 'first')).toBeUndefined();
    expect(verb({ ...spec, time: undefined }, [spec], 'first')).toBeUndefined();
  });

  it('makes it a right in use, inferred', () => {
    const resource = { group: 'g', resource: 'things' };
    const object = { namespace: 'ns', name: 'n' };
    expect(accessFromWriter('u', resource, object, status, 'update', 4)).toMatchObject({
      outcome: 'allowed',
      verb: 'update',
      subresource: 'status',
      evidence: { seq: 4, at: status.time, basis: { kind: 'inferred' } },
    });
  });
});
