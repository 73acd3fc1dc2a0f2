import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ajv from 'ajv-draft-04';
import { describe, expect, it } from 'vitest';
import { codeHelp } from '../../src/app/code-help.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { diagnosticsSarif } from '../../src/report/sarif.ts';

const SCHEMA = createRequire(import.meta.url).resolve('@microsoft/jest-sarif');
// One pattern of the published schema is not a valid regular expression with the flag `u`.
const valid = new ajv.default({
  strict: false,
  validateFormats: false,
  allErrors: true,
  unicodeRegExp: false,
}).compile(
  JSON.parse(readFileSync(new URL('schemas/sarif-2.1.0-rtm.5.json', `file://${SCHEMA}`), 'utf8')) as object,
);

const FINDING: Diagnostic = {
  code: 'schema/unknown-key',
  severity: 'error',
  message: 'the key `actoin` is not known',
  hint: 'did you mean action?',
  where: { file: 'zones/my shop#1.yaml', start: { line: 2, column: 3 }, end: { line: 2, column: 9 } },
};

interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly partialFingerprints: { readonly primaryLocationLineHash: string };
    }[];
  }[];
}

function log(diagnostics: readonly Diagnostic[], text = 'zone: a\n  actoin: block\n'): Log['runs'][number] {
  const sources = new Map([['zones/my shop#1.yaml', text]]);
  const context = { version: '1.2.3', folder: 'edge', help: codeHelp };
  const parsed = JSON.parse(diagnosticsSarif({ diagnostics, sources }, context)) as Log;
  valid(parsed);
  expect(valid.errors).toBeNull();
  const [run] = parsed.runs;
  if (run === undefined) {
    throw new Error('no run');
  }
  return run;
}

function prints(diagnostics: readonly Diagnostic[], text?: string): readonly string[] {
  return log(diagnostics, text).results.map((result) => result.partialFingerprints.primaryLocationLineHash);
}

describe('a SARIF log', () => {
  it('is valid without findings', () => {
    expect(log([]).results).toEqual([]);
  });

  it('has the rule with help, the region, and a URI relative to the repository', () => {
    const run = log([FINDING]);
    expect(run.tool.driver.rules).toEqual([
      {
        id: 'schema/unknown-key',
        shortDescription: { text: 'A key that does not exist here.' },
        fullDescription: { text: 'A key that does not exist here.' },
        help: { text: 'A key that does not exist here. The message of each finding says how to fix it.' },
        defaultConfiguration: { level: 'error' },
        properties: { tags: ['schema'] },
      },
    ]);
    expect(run.results).toEqual([
      {
        ruleId: 'schema/unknown-key',
        ruleIndex: 0,
        level: 'error',
        message: { text: 'the key `actoin` is not known\nhint: did you mean action?' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'edge/zones/my%20shop%231.yaml', uriBaseId: '%SRCROOT%' },
              region: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 9 },
            },
          },
        ],
        partialFingerprints: {
          primaryLocationLineHash: expect.stringMatching(/^[0-9a-f]{16}:1$/) as unknown,
        },
      },
    ]);
  });

  it('explains codes of expressions, and accepts unknown codes and findings without a place', () => {
    const run = log([
      { code: 'expression/blank', severity: 'error', message: 'm' },
      { code: 'no/table', severity: 'info', message: 'm' },
    ]);
    expect(run.tool.driver.rules).toEqual([
      expect.objectContaining({
        id: 'expression/blank',
        help: { text: expect.stringContaining('Write true') as unknown },
      }),
      expect.objectContaining({ id: 'no/table' }),
    ]);
  });

  it('keeps a fingerprint when lines are added above, and tells equal findings apart', () => {
    const lower: Diagnostic = {
      ...FINDING,
      where: { file: 'zones/my shop#1.yaml', start: { line: 3, column: 3 }, end: { line: 3, column: 9 } },
    };
    const [before] = prints([FINDING]);
    expect(prints([lower], '# new\nzone: a\n  actoin: block\n')).toEqual([before]);
    const twice = prints([FINDING, lower], 'zone: a\n  actoin: block\n  actoin: block\n');
    expect(new Set(twice).size).toBe(2);
    expect(twice[0]).toBe(before);
  });
});
