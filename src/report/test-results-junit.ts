import { formatPlace } from '../model/source.ts';
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
    `  <testsuite name="${escape(file)}" ${countsOf(tests)}>`,
    ...tests.flatMap(testCase),
    '  </testsuite>',
  ];
}

function testCase({ file, name, where, passed, mismatches, way }: RuleTestResult): readonly string[] {
  const attributes = `name="${escape(name)}" classname="${escape(file)}" file="${escape(file)}" line="${where.start.line}"`;
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
    `      <failure type="${escape(first?.key ?? '')}" message="${escape(first?.message ?? '')}">${escapeText(told.join('\n'))}</failure>`,
    '    </testcase>',
  ];
}

function countsOf(tests: readonly RuleTestResult[]): string {
  return `tests="${tests.length}" failures="${tests.filter(({ passed }) => !passed).length}" errors="0" skipped="0"`;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\r', '&#13;'],
]);

/** Text for XML 1.0: what it cannot carry at all becomes U+FFFD. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replaceAll(/[&<>"\r]/gu, (character) => ENTITIES.get(character) ?? character);
}

/** Text inside of an attribute, where white space would become blanks. */
function escape(text: string): string {
  return escapeText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
