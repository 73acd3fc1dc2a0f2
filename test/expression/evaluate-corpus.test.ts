import { describe, expect, it } from 'vitest';
import { answerLine } from '../../src/expression/answer-line.ts';
import { corpus, corpusFile, corpusLines } from './corpus.ts';

interface EvalCase {
  readonly expr: string;
  readonly values: unknown;
  readonly nilNotEqual: boolean;
  readonly result: boolean;
}

interface Vector {
  readonly id: number;
  readonly expr: string;
  readonly mode: 'filter' | 'value';
  readonly scheme: unknown;
  readonly fields: unknown;
  readonly expect: boolean | 'error' | 'value';
  readonly value?: unknown;
  readonly options?: { readonly nilNotEqual?: boolean };
  readonly lists?: unknown;
}

function answer(request: unknown): unknown {
  return JSON.parse(answerLine(JSON.stringify(request), 'eval'));
}

describe.skipIf(!corpus.present)(`evaluation against the corpus${corpus.note}`, () => {
  it('agrees with every random expression', () => {
    const [about = '', ...lines] = corpusLines('expression-eval.jsonl');
    const { scheme } = JSON.parse(about) as { readonly scheme: unknown };
    const cases = lines.map((line) => JSON.parse(line) as EvalCase);
    const answers = cases.map(({ expr, values, nilNotEqual }) => ({
      expr,
      ...(answer({ expr, values, nilNotEqual, scheme }) as object),
    }));
    expect(answers).toEqual(cases.map(({ expr, result }) => ({ expr, result })));
    expect(cases.length).toBeGreaterThanOrEqual(1500);
  });

  it('agrees with every vector that has a result', () => {
    const all = JSON.parse(corpusFile('expression-vectors.json')) as readonly Vector[];
    const vectors = all.filter((vector) => vector.expect !== 'error');
    const answers = vectors.map(({ id, expr, mode, scheme, fields, lists, options }) => {
      // The vectors were made by the engine, where `ne` is true for a missing value unless it is told otherwise.
      const nilNotEqual = options?.nilNotEqual ?? true;
      return { id, ...(answer({ expr, mode, scheme, values: fields, lists, nilNotEqual }) as object) };
    });
    const wanted = vectors.map((vector) => ({
      id: vector.id,
      result: vector.expect === 'value' ? (vector.value ?? null) : vector.expect,
    }));
    expect(answers).toEqual(wanted);
    expect(vectors.length).toBeGreaterThanOrEqual(250);
  });
});
