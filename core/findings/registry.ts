/** The rules, and how they are asked. Rules are independent; what they share is in the context. */
import { withAggregatedRules } from '../rbac/aggregation.ts';
import { createAuthorizer } from '../rbac/authorizer.ts';
import { createCrdIndex } from './crdIndex.ts';
import type { Evaluation, FindingContext, FindingInput, FindingRule } from './findingInput.ts';
import { contendedObject, staleCacheWrite } from './rules/conflicts.ts';
import { defaultingDiff } from './rules/defaultingDiff.ts';
import { fieldFight } from './rules/fieldFight.ts';
import { missingStatusSubresource } from './rules/missingStatusSubresource.ts';
import { selfTriggeredWrite } from './rules/selfTriggeredWrite.ts';
import { intermediateState, staleState, unobservedState } from './rules/traceStates.ts';

export const findingRules: readonly FindingRule[] = [
  missingStatusSubresource,
  selfTriggeredWrite,
  fieldFight,
  defaultingDiff,
  staleCacheWrite,
  contendedObject,
  staleState,
  unobservedState,
  intermediateState,
];

/** What rules share, computed once per judgement: rules of aggregated roles, look-ups of grants and CRDs. */
export function findingContext(input: FindingInput): FindingContext {
  const policy = withAggregatedRules(input.policy);
  return {
    input,
    policy,
    authorizer: createAuthorizer(policy),
    crds: createCrdIndex(input.objects.list('apiextensions.k8s.io/CustomResourceDefinition')),
  };
}

/** Judges `input` by all rules. Pure; findings carry the time of their first evidence as `openedAt`, or `now`. */
export function evaluate(input: FindingInput, rules: readonly FindingRule[] = findingRules): Evaluation {
  const context = findingContext(input);
  const answers = rules.map((rule) => rule.evaluate(context));
  return {
    findings: answers.flatMap((answer) => answer.findings),
    notEvaluated: answers.flatMap((answer) => answer.notEvaluated),
    resolved: answers.flatMap((answer) => answer.resolved),
  };
}
