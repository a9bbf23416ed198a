import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type RunningChild, startChild } from './childProcess.ts';
import { findMetricsUrls, listeningPorts, parseTcpTable } from './listeningPorts.ts';
import { systemClock } from './systemClock.ts';

// Real processes: on a busy machine each takes its time to start.
vi.setConfig({ testTimeout: 60_000 });

const started: RunningChild[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill();
});

const header =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 100 0 0 10 0`;

test('[FEED40] listening sockets of both tables, wildcards as loopback', () => {
  expect(
    parseTcpTable(
      [
        header,
        row('0100007F:1F90', '0A', 11),
        row('0100007F:1F90', '01', 12),
        row('00000000:1F91', '0A', 13),
        row('0A00000A:0050', '0A', 14),
      ].join('\n'),
    ),
  ).toEqual([
    { host: '127.0.0.1', port: 8080, inode: '11' },
    { host: '127.0.0.1', port: 8081, inode: '13' },
    { host: '10.0.0.10', port: 80, inode: '14' },
  ]);
  expect(
    parseTcpTable(
      [
        header,
        row('00000000000000000000000000000000:1F90', '0A', 21),
        row('00000000000000000000000001000000:1F91', '0A', 22),
        row('0000000000000000FFFF00000100007F:1F92', '0A', 23),
        row('B80D0120000000000000000001000000:1F93', '0A', 24),
      ].join('\n'),
    ),
  ).toEqual([
    { host: '127.0.0.1', port: 8080, inode: '21' },
    { host: '[::1]', port: 8081, inode: '22' },
    { host: '127.0.0.1', port: 8082, inode: '23' },
    { host: '[2001:db8::1]', port: 8083, inode: '24' },
  ]);
});

test('[FEED41] only sockets of the process family count; without /proc nothing is claimed', () => {
  const proc = mkdtempSync(join(tmpdir(), 'loopscope-proc-'));
  const add = (pid: number, parent: number, group: number, inode: number, name = 'x') => {
    mkdirSync(join(proc, String(pid), 'fd'), { recursive: true });
    mkdirSync(join(proc, String(pid), 'net'));
    writeFileSync(join(proc, String(pid), 'stat'), `${pid} (${name}) S ${parent} ${group} 1 0 -1`);
    symlinkSync(`socket:[${inode}]`, join(proc, String(pid), 'fd', '3'));
    writeFileSync(
      join(proc, String(pid), 'net', 'tcp'),
      [header, ...[1, 2, 3, 4].map((one) => row(`0100007F:000${one}`, '0A', one))].join('\n'),
    );
  };
  add(100, 1, 100, 1);
  add(101, 100, 100, 2, 'odd) S 1 1 (name');
  add(102, 1, 100, 3);
  add(200, 1, 200, 4);
  expect(listeningPorts(100, proc)?.map(({ pid, port }) => [pid, port])).toEqual([
    [100, 1],
    [101, 2],
    [102, 3],
  ]);
  rmSync(proc, { recursive: true });
  expect(listeningPorts(100, proc)).toBeUndefined();
});

describe.skipIf(!existsSync('/proc/self/net/tcp'))('with /proc', () => {
  test('[FEED42] the metrics port of a grandchild is found among others', async () => {
    const inner = `
      const { createServer } = require('node:http');
      let open = 0;
      const listen = (answer) => createServer((q, s) => s.end(answer)).listen(0, '127.0.0.1', () => { if (++open === 2) console.log('open'); });
      listen('healthy');
      listen('controller_runtime_active_workers{controller="a"} 0\\n');
    `;
    const outer = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`;
    let opened = () => {};
    const open = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const child = await startChild({
      command: process.execPath,
      args: ['-e', outer],
      clock: systemClock,
      onLines: (lines) => {
        if (lines.some((line) => line.text === 'open')) opened();
      },
    });
    if (!child.ok) throw new Error(child.error.message);
    started.push(child.value);
    await open;
    expect(listeningPorts(child.value.pid)).toHaveLength(2);
    const urls = await findMetricsUrls(child.value.pid);
    expect(urls).toHaveLength(1);
    expect(urls?.[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    await child.value.stop();
  });
});
