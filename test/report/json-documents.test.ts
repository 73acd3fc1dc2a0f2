import { expect, it } from 'vitest';
import { driftOf } from '../../src/app/planning/drift-of.ts';
import { driftJson, errorJson, outcomesJson, validationJson } from '../../src/report/json-documents.ts';
import { add, plan, scope, update } from './plan-builder.ts';

const changed = plan(scope([update([add('a')])]));

it('puts the kind and the format version first in every document', () => {
  const documents = [
    validationJson({ valid: true, diagnostics: [] }),
    driftJson(driftOf(changed)),
    outcomesJson(changed, { result: 'done', dryRun: false, outcomes: [], refusals: [] }),
    errorJson({ code: 'usage/invalid', message: 'm', hint: undefined }),
  ];
  expect(documents.map((document) => Object.entries(document).slice(0, 2))).toEqual(
    ['validation', 'drift', 'outcomes', 'error'].map((kind) => [
      ['kind', kind],
      ['formatVersion', 1],
    ]),
  );
});

it('says in the drift document whether there is drift', () => {
  expect(driftJson(driftOf(changed)).drifted).toBe(true);
  expect(driftJson(driftOf(plan(scope([])))).drifted).toBe(false);
});

it('sorts the findings of the validation document', () => {
  const place = (line: number) => ({
    where: { file: 'a', start: { line, column: 1 }, end: { line, column: 1 } },
  });
  const { diagnostics } = validationJson({
    valid: false,
    diagnostics: [
      { code: 'b/b', severity: 'error', message: '', ...place(2) },
      { code: 'a/a', severity: 'error', message: '', ...place(1) },
    ],
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(['a/a', 'b/b']);
});
