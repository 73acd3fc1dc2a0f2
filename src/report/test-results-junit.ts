import { formatPlace } from '../model/source.ts';
import { xmlAttribute, xmlText } from './xml.ts';
import type { RuleTestReport, RuleTestResult } from '../model/simulation.ts';

/**
 * Rule tests as JUnit XML: a suite for each file, a case for each test, what was expected and what each rule said in its failure. Times
 * are left out, so that the same results give the same bytes.
 */
export function testResultsJunit({ tests }: RuleTestReport): string {
  const files = [...new Set(tests.map(({ file }) => file))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rulewright test" ${countsOf(tests)}>`,
    ...files.flatMap((file) =>
      suite(
        file,
        tests.filter((test) => test.file === file),
      ),
    ),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: string, tests: readonly RuleTestResult[]): readonly string[] {
  return [
    `  <testsuite name="${xmlAttribute(file)}" ${countsOf(tests)}>`,
    ...tests.flatMap(testCase),
    '  </testsuite>',
  ];
}

function testCase({ file, name, where, passed, mismatches, way }: RuleTestResult): readonly string[] {
  const attributes = `name="${xmlAttribute(name)}" classname="${xmlAttribute(file)}" file="${xmlAttribute(file)}" line="${where.start.line}"`;
  if (passed) {
    return [`    <testcase ${attributes}/>`];
  }
  const [first] = mismatches;
  const told = [
    formatPlace(where),
    ...mismatches.map(({ key, message }) => `${key}: ${message}`),
    `${way.method} ${way.url}`,
    ...way.verdicts.map(
      ({ phase, rule, action, verdict, why }) =>
        `${phase}: ${rule} (${action}) ${verdict}${why === '' ? '' : `: ${why}`}`,
    ),
  ];
  return [
    `    <testcase ${attributes}>`,
    `      <failure type="${xmlAttribute(first?.key ?? '')}" message="${xmlAttribute(first?.message ?? '')}">${xmlText(told.join('\n'))}</failure>`,
    '    </testcase>',
  ];
}

function countsOf(tests: readonly RuleTestResult[]): string {
  return `tests="${tests.length}" failures="${tests.filter(({ passed }) => !passed).length}" errors="0" skipped="0"`;
}
