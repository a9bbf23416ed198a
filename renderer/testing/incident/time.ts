/** The invented incident happens on one day in local time, so that the screen shows the same digits everywhere. */
export function at(clockTime: string): number {
  const [h = '0', m = '0', rest = '0'] = clockTime.split(':');
  const [s = '0', ms = '0'] = rest.split('.');
  return new Date(2026, 8, 14, Number(h), Number(m), Number(s), Number(ms.padEnd(3, '0'))).getTime();
}

export function stamp(clockTime: string): string {
  const iso = new Date(at(clockTime)).toISOString();
  return clockTime.includes('.') ? iso : iso.replace('.000', '');
}

/** The frozen moment of the screenshots. */
export const moment = at('14:12:06.240');
export const recordingStart = at('13:40:00');

/** Small deterministic noise, 0 … 1. */
export function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
}
