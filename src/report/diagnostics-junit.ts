import type { Diagnostic } from '../model/diagnostic.ts';
import { sortDiagnostics } from '../model/diagnostic.ts';
import { formatPlace } from '../model/source.ts';
import type { Findings } from './text/diagnostics.ts';
import { xmlAttribute, xmlText } from './xml.ts';

/** What stands for the file of findings that belong to none. */
const NO_FILE = 'the project';

/**
 * Findings as JUnit XML: a suite for each file, a failed case for each error in it, and one case that passes
 * where there is none. What does not stop a run stands in the output of the suite. Times are left out, so
 * that the same findings give the same bytes.
 */
export function diagnosticsJunit({ diagnostics, sources }: Findings): string {
  const sorted = sortDiagnostics(diagnostics);
  const files = [...new Set([...sources.keys(), ...sorted.map(fileOf)])].sort();
  const suites = files.map((file) =>
    suiteOf(
      file,
      sorted.filter((diagnostic) => fileOf(diagnostic) === file),
    ),
  );
  const count = (key: 'tests' | 'failures'): number => suites.reduce((sum, suite) => sum + suite[key], 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rulewright validate" ${countsText(count('tests'), count('failures'))}>`,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>',
    '',
  ].join('\n');
}

function fileOf({ where }: Diagnostic): string {
  return where?.file ?? NO_FILE;
}

interface Suite {
  readonly tests: number;
  readonly failures: number;
  readonly lines: readonly string[];
}

function suiteOf(file: string, diagnostics: readonly Diagnostic[]): Suite {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const others = diagnostics.filter(({ severity }) => severity !== 'error');
  const tests = Math.max(errors.length, 1);
  const name = xmlAttribute(file);
  return {
    tests,
    failures: errors.length,
    lines: [
      `  <testsuite name="${name}" ${countsText(tests, errors.length)}>`,
      ...(errors.length === 0
        ? [`    <testcase name="valid" classname="${name}" file="${name}"/>`]
        : errors.flatMap((error) => failedCase(error, name))),
      ...(others.length === 0
        ? []
        : [`    <system-out>${xmlText(others.map(told).join('\n'))}</system-out>`]),
      '  </testsuite>',
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

function countsText(tests: number, failures: number): string {
  return `tests="${tests}" failures="${failures}" errors="0" skipped="0"`;
}
