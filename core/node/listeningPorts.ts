/**
 * The TCP ports that a process and its descendants listen on, and which of them serves metrics. Linux only, by /proc;
 * elsewhere undefined, and the user is asked. Reads nothing but sockets and parents. Spec: docs/spec/feeds.md
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { fetchMetrics } from './metricsScrape.ts';

export interface ListeningPort {
  readonly pid: number;
  /** An address one can connect to: a wildcard is given as loopback. */
  readonly host: string;
  readonly port: number;
}

/** Sockets of `pid`, its descendants and its process group, by port. Undefined where /proc does not tell. */
export function listeningPorts(pid: number, proc = '/proc'): readonly ListeningPort[] | undefined {
  const processes = readProcesses(proc);
  if (processes === undefined) return undefined;
  const members = familyOf(pid, processes);
  const found = new Map<string, ListeningPort>();
  for (const member of members) {
    const inodes = socketInodes(`${proc}/${member}/fd`);
    if (inodes.size === 0) continue;
    // A process in a network namespace of its own has its own table.
    for (const table of ['tcp', 'tcp6']) {
      for (const socket of parseTcpTable(readText(`${proc}/${member}/net/${table}`) ?? '')) {
        if (!inodes.has(socket.inode)) continue;
        const { host, port } = socket;
        if (!found.has(`${host}:${port}`)) found.set(`${host}:${port}`, { pid: member, host, port });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.port - b.port || (a.host < b.host ? -1 : 1));
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

function readProcesses(proc: string): readonly Process[] | undefined {
  let names: readonly string[];
  try {
    names = readdirSync(proc);
  } catch {
    // No /proc: not Linux.
    return undefined;
  }
  const processes: Process[] = [];
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readText(`${proc}/${name}/stat`);
    if (stat === undefined) continue;
    // The program's name stands in parentheses and may hold anything: fields count from after the last one.
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    processes.push({ pid: Number(name), parent: Number(parent), group: Number(group) });
  }
  return processes.length === 0 ? undefined : processes;
}

function familyOf(root: number, processes: readonly Process[]): ReadonlySet<number> {
  const members = new Set([root]);
  for (let size = 0; size < members.size; ) {
    size = members.size;
    for (const { pid, parent, group } of processes) {
      if (members.has(parent) || group === root) members.add(pid);
    }
  }
  return members;
}

function socketInodes(folder: string): ReadonlySet<string> {
  const inodes = new Set<string>();
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    // Gone, or another user's: then it has no sockets that we could see.
    return inodes;
  }
  for (const name of names) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // Closed between the list and the look.
    }
  }
  return inodes;
}

/** Listening sockets (state 0A) of a /proc/net/tcp or tcp6 table. */
export function parseTcpTable(
  text: string,
): readonly { readonly host: string; readonly port: number; readonly inode: string }[] {
  const sockets: { host: string; port: number; inode: string }[] = [];
  for (const line of text.split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    const [, local, , state] = fields;
    const inode = fields[9];
    if (state !== '0A' || local === undefined || inode === undefined) continue;
    const [address = '', port = ''] = local.split(':');
    sockets.push({ host: readableAddress(address), port: Number.parseInt(port, 16), inode });
  }
  return sockets;
}

/** The table has each 32-bit word in the machine's byte order (little-endian everywhere we run). */
function readableAddress(hex: string): string {
  const bytes: number[] = [];
  for (let word = 0; word < hex.length; word += 8) {
    for (let at = 6; at >= 0; at -= 2) bytes.push(Number.parseInt(hex.slice(word + at, word + at + 2), 16));
  }
  const wildcard = bytes.every((byte) => byte === 0);
  if (bytes.length === 4) return wildcard ? '127.0.0.1' : bytes.join('.');
  // `::` accepts IPv4 as well; loopback is what a Go program on `:8080` is reached by.
  if (wildcard) return '127.0.0.1';
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (isMapped) return bytes.slice(12).join('.');
  const groups: string[] = [];
  for (let at = 0; at < 16; at += 2)
    groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return `[${new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)}]`;
}

/**
 * URLs under which the process family serves metrics now, those of controller-runtime first. Undefined where ports cannot
 * be read. Asks `GET /metrics` of each port, by http and then https, for at most `timeoutMs` each.
 */
export async function findMetricsUrls(
  pid: number,
  timeoutMs = 1_000,
): Promise<readonly string[] | undefined> {
  const ports = listeningPorts(pid);
  if (ports === undefined) return undefined;
  const found: { readonly url: string; readonly controllers: boolean }[] = [];
  for (const { host, port } of ports) {
    for (const scheme of ['http', 'https']) {
      const url = new URL(`${scheme}://${host}:${port}/metrics`);
      const answer = await fetchMetrics(url, timeoutMs);
      if (!answer.ok) continue;
      found.push({ url: url.href, controllers: /^(controller_runtime_|workqueue_)/m.test(answer.value) });
      break;
    }
  }
  return found.sort((a, b) => Number(b.controllers) - Number(a.controllers)).map(({ url }) => url);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process ended meanwhile, or is another user's.
    return undefined;
  }
}
