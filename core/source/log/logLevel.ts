/** Level words and numbers of the loggers that operators use, as a level and a V level. */
export type LogLevel = 'error' | 'warning' | 'info' | 'debug';

export interface LevelRead {
  readonly level?: LogLevel;
  readonly verbosity?: number;
}

const words: Readonly<Record<string, LevelRead>> = {
  trace: { level: 'debug', verbosity: 2 },
  trc: { level: 'debug', verbosity: 2 },
  debug: { level: 'debug', verbosity: 1 },
  dbg: { level: 'debug', verbosity: 1 },
  debu: { level: 'debug', verbosity: 1 },
  info: { level: 'info', verbosity: 0 },
  inf: { level: 'info', verbosity: 0 },
  notice: { level: 'info', verbosity: 0 },
  default: { level: 'info', verbosity: 0 },
  warn: { level: 'warning' },
  warning: { level: 'warning' },
  wrn: { level: 'warning' },
  error: { level: 'error' },
  err: { level: 'error' },
  erro: { level: 'error' },
  dpanic: { level: 'error' },
  panic: { level: 'error' },
  pani: { level: 'error' },
  pnc: { level: 'error' },
  fatal: { level: 'error' },
  fata: { level: 'error' },
  ftl: { level: 'error' },
  severe: { level: 'error' },
  critical: { level: 'error' },
  alert: { level: 'error' },
  emergency: { level: 'error' },
};

/**
 * zap's names; `Level(-5)` is V(5). slog under logr counts from DEBUG = -4: `DEBUG-1` is V(5), `DEBUG+2` V(2). A number is
 * logr's own V level, negative as zap counts it; from 10 on it is that of bunyan and pino. Anything else says nothing.
 */
export function readLevel(value: unknown): LevelRead {
  if (typeof value === 'number') return numericLevel(value);
  if (typeof value !== 'string') return {};
  const known = words[value] ?? words[value.toLowerCase()];
  if (known !== undefined) return known;
  const word = value.toLowerCase();
  const verbose = /^level\((-?\d+)\)$/.exec(word);
  if (verbose !== null) return numericLevel(-Math.abs(Number(verbose[1])));
  const slog = /^(debug|info|warn|error)([+-]\d+)$/.exec(word);
  if (slog !== null) {
    const base = { debug: -4, info: 0, warn: 4, error: 8 }[slog[1] as 'debug' | 'info' | 'warn' | 'error'];
    const level = base + Number(slog[2]);
    if (level < 0) return { level: 'debug', verbosity: -level };
    return { level: level < 4 ? 'info' : level < 8 ? 'warning' : 'error' };
  }
  return /^-?\d+$/.test(word) ? numericLevel(Number(word)) : {};
}

function numericLevel(value: number): LevelRead {
  if (!Number.isInteger(value)) return {};
  if (value >= 10)
    return value >= 50
      ? { level: 'error' }
      : value >= 40
        ? { level: 'warning' }
        : value >= 30
          ? { level: 'info', verbosity: 0 }
          : { level: 'debug', verbosity: value >= 20 ? 1 : 2 };
  const verbosity = Math.abs(value);
  return { level: verbosity === 0 ? 'info' : 'debug', verbosity };
}
