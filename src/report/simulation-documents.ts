import type { RequestWay, RuleTestReport, RuleTestResult } from '../model/simulation.ts';

/** Answer of `test`. */
export interface TestResultsDocument {
  readonly kind: 'test-results';
  readonly formatVersion: 1;
  readonly passed: number;
  readonly failed: number;
  readonly tests: readonly RuleTestResult[];
}

/** The document of what became of rule tests. */
export function testResultsDocument({ tests }: RuleTestReport): TestResultsDocument {
  const passed = tests.filter((test) => test.passed).length;
  return { kind: 'test-results', formatVersion: 1, passed, failed: tests.length - passed, tests };
}

/** Answer of `explain`. */
export interface ExplanationDocument {
  readonly kind: 'explanation';
  readonly formatVersion: 1;
  readonly zone: string;
  readonly way: RequestWay;
}

/** The document of what rules say of a request. */
export function explanationDocument(zone: string, way: RequestWay): ExplanationDocument {
  return { kind: 'explanation', formatVersion: 1, zone, way };
}
