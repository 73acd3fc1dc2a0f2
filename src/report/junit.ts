import type { Diagnostic, RuleTestError, RuleTestReport, RuleTestResult } from '../model/index.ts';
import { sortDiagnostics, formatPlace } from '../model/index.ts';
import type { Diagnosed } from './diagnostics-document.ts';
import { escapeText } from './escape.ts';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/**
 * Escapes a text for XML 1.0. Characters that could control a terminal or reorder a line are spelled out, no line starts like a command of
 * a CI service, and characters that XML does not allow become U+FFFD.
 */
function xmlText(text: string): string {
  return linesOf(text)
    .map((line) => line.replace(/^(\s*)::/, '$1&#58;:'))
    .join('\n');
}

/** Escapes a text for an attribute, including line breaks, which XML would turn into blanks. */
function xmlAttribute(text: string): string {
  return linesOf(text).join('&#10;');
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) =>
    escapeText(line)
      .replaceAll(/[\u{fffe}\u{ffff}]/gu, '\u{fffd}')
      .replaceAll(/[&<>"]/g, (character) => ENTITIES.get(character) ?? character),
  );
}

/** The test cases of a file, as lines of XML. */
interface Suite {
  readonly file: string;
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly lines: readonly string[];
}

/** Formats suites as JUnit XML. Times are left out, so that equal results give equal bytes. */
function junit(name: string, suites: readonly Suite[]): string {
  const count = (key: keyof SuiteCounts): number => suites.reduce((sum, suite) => sum + suite[key], 0);
  const counts = { tests: count('tests'), failures: count('failures'), errors: count('errors') };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${countsText(counts)}>`,
    ...suites.flatMap(({ file, lines, ...own }) => [
      `  <testsuite name="${xmlAttribute(file)}" ${countsText(own)}>`,
      ...lines,
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

type SuiteCounts = Pick<Suite, 'tests' | 'failures' | 'errors'>;

function countsText({ tests, failures, errors }: SuiteCounts): string {
  return `tests="${tests}" failures="${failures}" errors="${errors}" skipped="0"`;
}

/** The name of the suite for findings that belong to no file. */
const NO_FILE = 'the project';

/**
 * Formats findings as JUnit XML: a suite per file, with a failed case for each error, or one passing case if there are none. Findings that
 * do not stop a run are in the output of the suite.
 */
export function diagnosticsJunit({ diagnostics, sources }: Diagnosed): string {
  const sorted = sortDiagnostics(diagnostics);
  const files = [...new Set([...sources.keys(), ...sorted.map(fileOf)])].sort();
  return junit(
    'rulewright validate',
    files.map((file) =>
      suiteOf(
        file,
        sorted.filter((diagnostic) => fileOf(diagnostic) === file),
      ),
    ),
  );
}

function fileOf({ where }: Diagnostic): string {
  return where?.file ?? NO_FILE;
}

function suiteOf(file: string, diagnostics: readonly Diagnostic[]): Suite {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const others = diagnostics.filter(({ severity }) => severity !== 'error');
  const name = xmlAttribute(file);
  return {
    file,
    tests: Math.max(errors.length, 1),
    failures: errors.length,
    errors: 0,
    lines: [
      ...(errors.length === 0
        ? [`    <testcase name="valid" classname="${name}" file="${name}"/>`]
        : errors.flatMap((error) => failedCase(error, name))),
      ...(others.length === 0
        ? []
        : [`    <system-out>${xmlText(others.map(told).join('\n'))}</system-out>`]),
    ],
  };
}

function failedCase(diagnostic: Diagnostic, file: string): readonly string[] {
  const { code, message, where } = diagnostic;
  const line = where === undefined ? '' : ` line="${where.start.line}"`;
  const place = where === undefined ? '' : ` ${where.start.line}:${where.start.column}`;
  return [
    `    <testcase name="${xmlAttribute(`${code}${place}`)}" classname="${file}" file="${file}"${line}>`,
    `      <failure type="${xmlAttribute(code)}" message="${xmlAttribute(message)}">${xmlText(told(diagnostic))}</failure>`,
    '    </testcase>',
  ];
}

function told({ severity, code, message, hint, where }: Diagnostic): string {
  const place = where === undefined ? '' : `${formatPlace(where)}  `;
  return `${place}${severity} ${code}: ${message}${hint === undefined ? '' : `\nhint: ${hint}`}`;
}

/**
 * Formats rule tests as JUnit XML: a suite per file and a case per test; a failure contains the expectation and the verdict of each rule.
 * Tests and files that could not run are errors.
 */
export function testResultsJunit({ tests, errors }: RuleTestReport): string {
  const files = [...new Set([...tests, ...errors].map(({ file }) => file))].sort();
  return junit(
    'rulewright test',
    files.map((file): Suite => {
      const own = tests.filter((test) => test.file === file);
      const failures = own.filter(({ passed }) => !passed).length;
      const broken = errors.filter((error) => error.file === file);
      return {
        file,
        tests: own.length + broken.length,
        failures,
        errors: broken.length,
        lines: [...own.flatMap(testCase), ...broken.flatMap(errorCase)],
      };
    }),
  );
}

/** Returns the case of a test or a file that could not run. */
function errorCase({ file, name, findings }: RuleTestError): readonly string[] {
  const [first] = findings;
  const line = first?.where === undefined ? '' : ` line="${first.where.start.line}"`;
  const attributes = `name="${xmlAttribute(name ?? file)}" classname="${xmlAttribute(file)}" file="${xmlAttribute(file)}"${line}`;
  return [
    `    <testcase ${attributes}>`,
    `      <error type="${xmlAttribute(first?.code ?? '')}" message="${xmlAttribute(first?.message ?? '')}">${xmlText(findings.map(told).join('\n'))}</error>`,
    '    </testcase>',
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
