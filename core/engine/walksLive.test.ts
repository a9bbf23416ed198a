import { afterEach, expect, it } from 'vitest';
import type { WalkView } from '../../shared/contract/views/traces.ts';
import { EngineBench, incident } from '../testing/engineBench.ts';

let bench: EngineBench;
afterEach(() => bench.engine.dispose());

it('a walk follows what it rests on, though no run comes: an object that arrives', async () => {
  bench = new EngineBench(incident());
  const told: WalkView[] = [];
  bench.client().value('walk', { controller: 'database', key: 'shop/late' }, (value) => told.push(value));
  const answer = () => told.at(-1)?.walk?.answer;
  await bench.connect();
  await bench.clock.advance(2000);
  expect(answer()).toBe('There is no object shop/late.');
  const before = told.length;
  await bench.clock.advance(5000);
  expect(told.length, 'nothing new, nothing told').toBe(before);
  bench.cluster.of('databases.db.example.com').create('shop/late', { spec: { replicas: 1 } });
  await bench.clock.advance(1500);
  expect(answer()).not.toBe('There is no object shop/late.');
  expect(told.at(-1)?.walk?.steps.find(({ step }) => step === 'scope')?.text).toBe('shop/late exists.');
});

it('does not take what was not listed for what is not there', async () => {
  const cluster = incident();
  cluster.denials.push({ resource: 'databases.db.example.com', verb: '*', exceptIn: ['shop'] });
  bench = new EngineBench(cluster);
  const told: WalkView[] = [];
  bench.client().value('walk', { controller: 'database', key: 'elsewhere/a' }, (value) => told.push(value));
  const connecting = bench.engine.connect({ context: 'test', namespaces: ['shop'] });
  await bench.clock.advance(5000);
  await connecting;
  const scope = told.at(-1)?.walk?.steps.find(({ step }) => step === 'scope');
  expect(scope).toMatchObject({ verdict: 'unknown', text: expect.stringContaining('it was not listed') });
});
