/** Traces of the real operator on the real cluster: the two scenarios that show most. */
import { testScenarios } from './bedScenarios.ts';

testScenarios('traces of the test bed', ['healthy', 'two-controllers']);
