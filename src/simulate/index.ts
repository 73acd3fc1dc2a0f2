/** Simulates the way of a request through the phases: the verdict of each rule, how the request ends, and what it leaves. Pure. */
export { checkNames, checkTestNames } from './check-names.ts';
export type { Evaluation } from './compile.ts';
export { describeWay } from './describe-way.ts';
export type { Scenario } from './exchange.ts';
export { PLAN_CODES } from './field-values.ts';
export { newFieldsFor, NO_NEW_FIELDS } from './new-fields.ts';
export type { NewFields } from './new-fields.ts';
export { asPeopleKnow, testedScopes } from './people-names.ts';
export { prepareScope } from './prepare.ts';
export { checkLists, evaluationOf } from './read-lists.ts';
export type { Lists } from './read-lists.ts';
export { readScenario } from './read-scenario.ts';
export { runTest } from './run-test.ts';
export type { ReadyTest } from './run-test.ts';
export type { SimulatedScope } from './scope-rules.ts';
export { simulate } from './simulate.ts';
export type { PreparedZone } from './prepared.ts';
export type { TestProblem } from './test-problem.ts';
