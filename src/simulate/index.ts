/**
 * A request's way through the phases: what each rule says of it, how it ends, what it leaves. Pure.
 */
export { checkExpectation } from './check-expectation.ts';
export { checkNames, checkTestNames } from './check-names.ts';
export type { Evaluation } from './compile.ts';
export { describeWay } from './describe-way.ts';
export type { Scenario, SimulatedRequest, SimulatedResponse } from './exchange.ts';
export { explainCondition } from './explain.ts';
export { prepareScope } from './prepare.ts';
export type { PreparedScope } from './prepared.ts';
export { checkLists, evaluationOf } from './read-lists.ts';
export type { Lists } from './read-lists.ts';
export { readScenario } from './read-scenario.ts';
export { runTest } from './run-test.ts';
export type { ReadyTest } from './run-test.ts';
export type { SimulatedRule, SimulatedRuleset, SimulatedScope } from './scope-rules.ts';
export { simulate } from './simulate.ts';
export type { PreparedZone } from './simulate.ts';
export { TEST_CODES } from './test-problem.ts';
export type { TestProblem } from './test-problem.ts';
export type { Trace } from './way.ts';
export { PLAN_CODES } from './zone-plan.ts';
