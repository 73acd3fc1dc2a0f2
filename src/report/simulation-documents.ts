import type { RequestWay, RuleTestReport } from '../model/simulation.ts';

/** What became of rule tests, as one JSON value. */
export function testResultsDocument({ tests }: RuleTestReport) {
  const passed = tests.filter((test) => test.passed).length;
  return { kind: 'test-results', formatVersion: 1, passed, failed: tests.length - passed, tests };
}

/** What rules say of a request, as one JSON value. */
export function explanationDocument(zone: string, way: RequestWay) {
  return { kind: 'explanation', formatVersion: 1, zone, way };
}
