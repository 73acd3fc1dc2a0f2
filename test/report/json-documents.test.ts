import { driftOf } from '../../src/app/drift.ts';
import { expect, it } from 'vitest';
import {
  driftDocument,
  errorDocument,
  jsonText,
  outcomesDocument,
  validationDocument,
} from '../../src/report/json-documents.ts';
import { add, plan, scope, update } from './plan-builder.ts';

const changed = plan(scope([update([add('a')])]));

it('documents name their kind and version first', () => {
  const documents = [
    validationDocument({ valid: true, diagnostics: [] }),
    driftDocument(driftOf(changed)),
    outcomesDocument(changed, { result: 'done', dryRun: false, outcomes: [], refusals: [] }),
    errorDocument({ code: 'a/b', message: 'm', hint: undefined }),
  ];
  expect(documents.map((document) => Object.entries(document).slice(0, 2))).toEqual(
    ['validation', 'drift', 'outcomes', 'error'].map((kind) => [
      ['kind', kind],
      ['formatVersion', 1],
    ]),
  );
});

it('drift says whether there is any', () => {
  expect(driftDocument(driftOf(changed)).drifted).toBe(true);
  expect(driftDocument(driftOf(plan(scope([])))).drifted).toBe(false);
});

it('findings are sorted', () => {
  const place = (line: number) => ({
    where: { file: 'a', start: { line, column: 1 }, end: { line, column: 1 } },
  });
  const { diagnostics } = validationDocument({
    valid: false,
    diagnostics: [
      { code: 'b/b', severity: 'error', message: '', ...place(2) },
      { code: 'a/a', severity: 'error', message: '', ...place(1) },
    ],
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(['a/a', 'b/b']);
});

it('text of a document ends with a newline and parses back', () => {
  const text = jsonText(changed);
  expect(text.endsWith('}\n')).toBe(true);
  expect(JSON.parse(text)).toEqual(changed);
});

it('JSON shows no character raw that steers a terminal or reorders text', () => {
  const value = { 'k\u202e': 'a\u009bb\u007f\u2028\u2029\u2066\u{e0041}\u200b \ud800 Grüße 日本語' };
  const text = jsonText(value);
  expect(text).toContain(
    String.raw`"k\u202e": "a\u009bb\u007f\u2028\u2029\u2066\udb40\udc41\u200b \ud800 Grüße 日本語"`,
  );
  expect(JSON.parse(text)).toEqual(value);
});
