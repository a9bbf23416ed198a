import { describe, expect, it } from 'vitest';
import { filterOf } from './heartbeats.ts';

describe('filterOf', () => {
  it('leaves renewals out and keeps what the user typed', () => {
    expect(filterOf('', false)).toBe('-spec.renewTime');
    expect(filterOf('  kind:Database -writer:kubelet ', false)).toBe(
      '-spec.renewTime kind:Database -writer:kubelet',
    );
    expect(filterOf('"orders', false)).toBe('-spec.renewTime "orders');
  });
  it('leaves the filter alone where heartbeats are wanted or Leases are asked for', () => {
    expect(filterOf(' orders ', true)).toBe('orders');
    expect(filterOf('kind:Lease', false)).toBe('kind:Lease');
    expect(filterOf('-kind:lease', false)).toBe('-kind:lease');
    expect(filterOf('spec.renewTime', false)).toBe('spec.renewTime');
  });
});
