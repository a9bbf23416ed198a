/** Which members of a JSON line are its header, whatever its logger was told to call them. */

type Role = 'time' | 'level' | 'msg' | 'logger' | 'caller';

/** Names of each role, the surest first. */
const names: Readonly<Record<Role, readonly string[]>> = {
  time: ['ts', 'time', 'timestamp', '@timestamp', 'eventTime', 'datetime', 'T'],
  level: ['level', 'severity', 'lvl', 'log.level', 'loglevel', 'levelname', 'L'],
  msg: ['msg', 'message', 'M'],
  logger: ['logger', 'log.logger', 'N', 'name'],
  caller: ['caller', 'source', 'file', 'C', 'logging.googleapis.com/sourceLocation'],
};

const roles = new Map<string, { readonly role: Role; readonly rank: number }>();
for (const [role, list] of Object.entries(names) as [Role, readonly string[]][])
  for (const [rank, name] of list.entries()) roles.set(name, { role, rank });

export interface JsonHeader {
  readonly time: unknown;
  readonly level: unknown;
  readonly msg: string | undefined;
  readonly logger: string | undefined;
  readonly caller: string | undefined;
  /** Everything else, and what has a header's name but is a field of the operator's. */
  readonly fields: Record<string, unknown>;
}

export function jsonHeader(parsed: Readonly<Record<string, unknown>>): JsonHeader {
  const fields: Record<string, unknown> = {};
  const found: Partial<Record<Role, { name: string; rank: number; value: unknown }>> = {};
  for (const name of Object.keys(parsed)) {
    const value = parsed[name];
    const place = roles.get(name);
    if (place === undefined || !fits(place.role, name, value, found)) {
      if (name !== '__proto__') fields[name] = value;
      continue;
    }
    const before = found[place.role];
    if (before === undefined) found[place.role] = { name, rank: place.rank, value };
    else if (place.rank < before.rank) {
      fields[before.name] = before.value;
      found[place.role] = { name, rank: place.rank, value };
    } else fields[name] = value;
  }
  return {
    time: found.time?.value,
    level: found.level?.value,
    msg: found.msg?.value as string | undefined,
    logger: found.logger?.value as string | undefined,
    caller: callerText(found.caller?.value),
    fields,
  };
}

function fits(
  role: Role,
  name: string,
  value: unknown,
  found: Readonly<Partial<Record<Role, unknown>>>,
): boolean {
  switch (role) {
    case 'time':
    case 'level':
      return typeof value === 'string' || typeof value === 'number';
    case 'msg':
      return typeof value === 'string';
    case 'logger':
      // zap writes its own members before those of the call: a `name` after the message is the operator's field.
      if (name === 'name')
        return typeof value === 'string' && found.time !== undefined && found.msg === undefined;
      return typeof value === 'string';
    case 'caller':
      return name === 'caller' ? typeof value === 'string' : callerText(value) !== undefined;
  }
}

/** `file.go:12`; slog has an object in its place. */
function callerText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' || /:\d+$/.test(value) ? value : undefined;
  if (typeof value !== 'object' || value === null || !('file' in value)) return undefined;
  const line = 'line' in value ? value.line : undefined;
  return typeof value.file === 'string' ? `${value.file}:${String(line ?? 0)}` : undefined;
}
