import type { NotSimulated, RuleTestError, RuleTestReport, RuleTestResult } from '../model/index.ts';
import { formatPlace, scopeLabel } from '../model/index.ts';
import { compareText, counted } from '../text/index.ts';
import { endEntry, verdictBlocks, viewOf, whenText } from './explanation-document.ts';
import { placeSpan } from './print-value.ts';
import type { Block, EntryBlock, EntryMark, Inline, Document, SectionBlock } from './tree.ts';
import { entry, section, span } from './tree.ts';

const PASSED: EntryMark = { sign: '✓', style: 'good' };
const FAILED: EntryMark = { sign: '✗', style: 'error' };

/** Documents rule tests by file: a line for each that passes; for each that fails, the expectation and the verdict of each rule. */
export function testResultsDocument(
  { tests, errors }: RuleTestReport,
  { failuresOnly }: { readonly failuresOnly: boolean },
): Document {
  const files = [...new Set([...tests, ...errors].map(({ file }) => file))].sort(compareText);
  return {
    title: 'Rulewright test',
    summary: summary(tests, errors),
    body: files.flatMap((file): readonly SectionBlock[] => {
      const told = tests.filter((test) => test.file === file && !(failuresOnly && test.passed));
      const broken = errors.filter((error) => error.file === file);
      return told.length + broken.length === 0
        ? []
        : [section(2, [span('name', file)], [...told.map(testEntry), ...broken.map(errorEntry)])];
    }),
  };
}

function errorEntry({ name, findings }: RuleTestError): EntryBlock {
  return entry(FAILED, [span('strong', name ?? 'the file'), ' could not run'], {
    body: findings.map(({ code, message, where }) => ({
      kind: 'paragraph',
      text: [
        span('error', code),
        `: ${message}`,
        ...(where === undefined ? [] : [span('dim', `  ${formatPlace(where)}`)]),
      ],
      hang: 4,
    })),
  });
}

function testEntry(test: RuleTestResult): EntryBlock {
  if (test.passed) {
    return entry(PASSED, [test.name]);
  }
  const { way, mismatches } = test;
  const line = (...text: Inline): Block => ({ kind: 'paragraph', text, hang: 4 });
  return entry(FAILED, [span('strong', test.name)], {
    facts: [[placeSpan(test.where, 'dim')]],
    apart: true,
    body: [
      ...mismatches.map(({ key, message }) => line(span('error', key), `: ${message}`)),
      line(span('dim', `${way.method} ${way.url}${whenText(way)}`)),
      ...verdictBlocks(way.verdicts, { detail: 'brief', time: viewOf(way) }),
      endEntry(way, 'brief'),
    ],
  });
}

function summary(tests: readonly RuleTestResult[], errors: readonly RuleTestError[]): readonly Inline[] {
  const failed = tests.filter(({ passed }) => !passed).length;
  return [
    [
      span('strong', `${counted(tests.length, 'test')}: `),
      span('good', `${tests.length - failed} passed`),
      ', ',
      span(failed === 0 ? 'dim' : 'error', `${failed} failed`),
      ...notRun(errors),
      '.',
    ],
    ...pastText(
      tests.map(({ way }) =>
        way.verdicts.flatMap(({ verdict, rule }) => (verdict === 'opaque' ? [rule] : [])),
      ),
      'rules that only the service can run, such as managed rulesets',
    ),
    ...pastText(
      tests.map(({ way }) => way.notSimulated.flatMap(othersIn)),
      'rules of others, which only live has',
    ),
  ];
}

/** Returns how many tests, and files of tests, could not run. */
function notRun(errors: readonly RuleTestError[]): Inline {
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

/** Returns the number of requests that passed rules which are not simulated, and these rules. */
function pastText(past: readonly (readonly string[])[], what: string): readonly Inline[] {
  const came = past.filter((names) => names.length > 0);
  const names = [...new Set(came.flat())].join(', ');
  return came.length === 0
    ? []
    : [[span('dim', `${counted(came.length, 'request')} passed ${what}. They are not simulated: ${names}.`)]];
}

/** Returns the results of rule tests as one JSON value. */
export function testResultsJson({ tests, errors }: RuleTestReport) {
  const passed = tests.filter((test) => test.passed).length;
  return { kind: 'test-results', formatVersion: 1, passed, failed: tests.length - passed, tests, errors };
}
