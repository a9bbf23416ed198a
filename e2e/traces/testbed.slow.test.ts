/** Traces of the real operator on the real cluster, whatever is wrong with it. */
import { testScenarios } from './bedScenarios.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';

const inTheFastTest: readonly ScenarioName[] = ['healthy', 'two-controllers'];

testScenarios(
  'traces of the test bed, with every fault',
  (Object.keys(scenarios) as ScenarioName[]).filter((name) => !inTheFastTest.includes(name)),
);
