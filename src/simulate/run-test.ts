import type { TestDocument } from '../model/generated/documents.ts';
import type { Mismatch, RequestWay, RulePlace } from '../model/index.ts';
import { checkExpectation } from './check-expectation.ts';
import type { Evaluation } from './evaluation.ts';
import { describeWay } from './describe-way.ts';
import type { Scenario } from './exchange.ts';
import { simulate } from './simulate.ts';
import type { PreparedZone } from './prepared.ts';
import type { Trace, SimulatedVerdict } from './trace.ts';
import { mismatchesOf, worldsOf } from './worlds.ts';

/** A test, ready to run. */
export interface ReadyTest {
  readonly zone: PreparedZone;
  readonly scenario: Scenario;
  readonly evaluation: Evaluation;
  readonly expect: TestDocument['tests'][number]['expect'];
}

/** Runs a test. A failed test explains the rules it names, and the rule that ended the request. */
export function runTest({ zone, scenario, evaluation, expect }: ReadyTest): {
  readonly mismatches: readonly Mismatch[];
  readonly way: RequestWay;
} {
  const trace = simulate(zone, scenario);
  const check = (world: Trace): readonly Mismatch[] =>
    checkExpectation(expect, describeWay(world, { evaluation, wants: () => false }));
  const mismatches = mismatchesOf(worldsOf({ zone, scenario, expect }, trace), check);
  const way = describeWay(trace, { evaluation, wants: () => false });
  if (mismatches.length === 0) {
    return { mismatches, way };
  }
  const named = new Set([expect.rule, ...Object.keys(expect.rules ?? {})]);
  const wants = ({ rule }: RulePlace, { ends }: SimulatedVerdict): boolean => ends || named.has(rule);
  return { mismatches, way: describeWay(trace, { evaluation, wants, timeZone: scenario.timeZone }) };
}
