import { formatPlace, scopeLabel } from '../../model/index.ts';
import type { NotSimulated, RuleTestError, RuleTestReport, RuleTestResult } from '../../model/index.ts';
import { compareText, counted } from '../../text/index.ts';
import type { Line, StyledSpan, Look } from '../layout.ts';
import { BLANK, hanging, layOut, line, span } from '../layout.ts';
import { verdictLines, endLines } from '../lines/trace-lines.ts';

/** Options of the text. */
export interface TestTextOptions {
  /** Whether passing tests are left out. */
  readonly failuresOnly: boolean;
}

/** Formats rule tests by file: a line for each that passes; for each that fails, the expectation and the verdict of each rule. */
export function testResultsText(
  { tests, errors }: RuleTestReport,
  look: Look,
  { failuresOnly }: TestTextOptions,
): string {
  const files = [...new Set([...tests, ...errors].map(({ file }) => file))].sort(compareText);
  const lines = files.flatMap((file) => {
    const told = tests.filter((test) => test.file === file && !(failuresOnly && test.passed));
    const broken = errors.filter((error) => error.file === file);
    const endsBlank = broken.length === 0 && told.at(-1)?.passed === false;
    return told.length + broken.length === 0
      ? []
      : [
          line(0, span('strong', file)),
          ...told.flatMap(testLines),
          ...broken.flatMap(errorLines),
          ...(endsBlank ? [] : [BLANK]),
        ];
  });
  return layOut([...lines, ...summaryLines(tests, errors)], look);
}

function errorLines({ name, findings }: RuleTestError): readonly Line[] {
  return [
    hanging(2, 4, span('error', '✗ '), span('strong', name ?? 'the file'), ' could not run'),
    ...findings.map(({ code, message, where }) =>
      hanging(
        6,
        4,
        span('error', code),
        `: ${message}`,
        ...(where === undefined ? [] : [span('dim', `  ${formatPlace(where)}`)]),
      ),
    ),
  ];
}

function testLines(test: RuleTestResult): readonly Line[] {
  if (test.passed) {
    return [line(2, span('good', '✓ '), test.name)];
  }
  const { way, mismatches } = test;
  return [
    hanging(
      2,
      4,
      span('error', '✗ '),
      span('strong', test.name),
      span('dim', `  ${formatPlace(test.where)}`),
    ),
    ...mismatches.map(({ key, message }) => hanging(6, 4, span('error', key), `: ${message}`)),
    hanging(6, 4, span('dim', `${way.method} ${way.url}`)),
    ...verdictLines(way.verdicts, { indent: 6, brief: true }),
    ...endLines(way, 6, { brief: true }),
    BLANK,
  ];
}

function summaryLines(tests: readonly RuleTestResult[], errors: readonly RuleTestError[]): readonly Line[] {
  const failed = tests.filter(({ passed }) => !passed).length;
  return [
    line(
      0,
      span('strong', `${counted(tests.length, 'test')}: `),
      span('good', `${tests.length - failed} passed`),
      ', ',
      span(failed === 0 ? 'dim' : 'error', `${failed} failed`),
      ...notRun(errors),
      '.',
    ),
    ...pastLines(
      tests.map(({ way }) =>
        way.verdicts.flatMap(({ verdict, rule }) => (verdict === 'opaque' ? [rule] : [])),
      ),
      'rules that only the service can run, such as managed rulesets',
    ),
    ...pastLines(
      tests.map(({ way }) => way.notSimulated.flatMap(othersIn)),
      'rules of others, which only live has',
    ),
  ];
}

/** Returns how many tests, and files of tests, could not run. */
function notRun(errors: readonly RuleTestError[]): readonly (string | StyledSpan)[] {
  const files = errors.filter(({ name }) => name === null).length;
  const counts = [
    ...(errors.length === files ? [] : [counted(errors.length - files, 'more', 'more')]),
    ...(files === 0 ? [] : [counted(files, 'file')]),
  ];
  return counts.length === 0 ? [] : ['; ', span('error', `${counts.join(' and ')} could not run`)];
}

function othersIn(one: NotSimulated): readonly string[] {
  return one.kind === 'rules-of-others' ? [`${one.ruleset ?? one.phase} (${scopeLabel(one.scope)})`] : [];
}

/** Returns a line with the number of requests that passed rules which are not simulated, and these rules. */
function pastLines(past: readonly (readonly string[])[], what: string): readonly Line[] {
  const came = past.filter((names) => names.length > 0);
  const names = [...new Set(came.flat())].join(', ');
  return came.length === 0
    ? []
    : [
        line(
          0,
          span('dim', `${counted(came.length, 'request')} passed ${what}. They are not simulated: ${names}.`),
        ),
      ];
}

/** Returns the results of rule tests as one JSON value. */
export function testResultsDocument({ tests, errors }: RuleTestReport) {
  const passed = tests.filter((test) => test.passed).length;
  return { kind: 'test-results', formatVersion: 1, passed, failed: tests.length - passed, tests, errors };
}
