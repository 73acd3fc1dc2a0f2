/**
 * What rules do with a request, for `app`, `plan` and `migrate`: the trace through the phases, rule tests, ordinary requests.
 *
 * Promises: pure; three-valued: what the inputs do not decide is said to be open, never guessed.
 * Never: sends a request.
 */
export { checkNames, checkTestNames } from './check-test-names.ts';
export { compileCondition } from './compile.ts';
export { describeWay } from './describe-way.ts';
export type { Evaluation } from './evaluation.ts';
export type { Scenario, SimulatedRequest } from './exchange.ts';
export { NAMES_OF_ONE_VALUE, PLAN_CODES, allFields } from './request-values.ts';
export type { ExchangeState, ZoneFacts } from './request-values.ts';
export { NOT_NORMAL } from './gaps.ts';
export { valuesOf } from './headers.ts';
export type { Header } from './headers.ts';
export { PartialMap, UNKNOWN_TEXT, compileKnownValue } from './known.ts';
export { NO_NEW_FIELDS, newFieldsFor } from './new-fields.ts';
export type { NewFields } from './new-fields.ts';
export { UNTRIED, bothHit, eitherHits, ordinaryHits } from './ordinary-hits.ts';
export type { Hits } from './ordinary-hits.ts';
export { FIRST_VISITS, ORDINARY, OVER_IPV4, TRIED } from './ordinary-requests.ts';
export type { Requests } from './ordinary-requests.ts';
export { asPeopleKnow, testedScopes } from './people-names.ts';
export { prepareScope } from './prepare.ts';
export { customKey } from './prepared.ts';
export type { PreparedRule, PreparedRuleset, PreparedScope, PreparedZone } from './prepared.ts';
export { fieldSource } from './read-fields.ts';
export type { FieldSource } from './read-fields.ts';
export { checkLists, declaredItems, evaluationOf } from './read-lists.ts';
export type { Lists } from './read-lists.ts';
export { readScenario } from './read-scenario.ts';
export { runTest } from './run-test.ts';
export type { ReadyTest } from './run-test.ts';
export { ruleName } from './scope-rules.ts';
export type { SimulatedRule, SimulatedRuleset, SimulatedScope } from './scope-rules.ts';
export { simulate } from './simulate.ts';
export type { TestProblem } from './test-problem.ts';
export { TEST_CODES } from './test-problem.ts';
export type { OpaqueResult } from './recorded.ts';
export { RAW_URL_FIELDS, URL_FIELDS, cookieMap } from './request-fields.ts';
export type { OfUrl } from './request-fields.ts';
export type { Assumed, RulesetTrace, Trace } from './trace.ts';
export { splitUrl } from './url.ts';
export type { Url } from './url.ts';
