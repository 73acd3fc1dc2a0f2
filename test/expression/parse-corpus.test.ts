import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findErrors, parseExpression } from '../../src/expression/parse/parse-expression.ts';
import type { ParseError } from '../../src/expression/language/parse-error.ts';
import type { ParseOptions } from '../../src/expression/parse/parse-expression.ts';
import { corpus, corpusFile, corpusLines, corpusScheme, schemeFrom } from './corpus.ts';
import { engineJson } from './engine-json.ts';

interface Vector {
  readonly id: number;
  readonly expr: string;
  readonly mode: 'filter' | 'value';
  readonly scheme: Readonly<Record<string, string>>;
  readonly expect: unknown;
  readonly ast?: unknown;
  readonly error?: {
    readonly kind: string;
    readonly line: number;
    readonly column: number;
    readonly length: number;
    readonly byteOffset: number;
    readonly message: string;
  };
  readonly options?: {
    readonly maxNesting?: number;
    readonly wildcardStarLimit?: number;
    readonly regexSizeLimit?: number;
  };
  readonly publicEngineError?: unknown;
}

interface ParseRow {
  readonly expr: string;
  readonly mode: 'filter' | 'value';
  readonly error?: readonly [string, number, number, number, string];
}

function errorRow({ kind, line, column, length, message }: ParseError): readonly unknown[] {
  return [kind, line, column, length, message];
}

function vectorOptions({ mode, scheme, options, publicEngineError }: Vector): ParseOptions {
  // What the public engine refuses follows the newer grammar of the service (rules-language.md 10).
  const ahead = publicEngineError !== undefined;
  return {
    mode,
    scheme: schemeFrom(scheme, ahead),
    fieldsOnTheRight: ahead,
    ...(options?.maxNesting === undefined ? {} : { maximumDepth: options.maxNesting }),
    ...(options?.wildcardStarLimit === undefined ? {} : { wildcardStars: options.wildcardStarLimit }),
    ...(options?.regexSizeLimit === undefined ? {} : { regexSize: options.regexSizeLimit }),
  };
}

describe.skipIf(!corpus.present)(
  `the vectors of the corpus parse as the engine parses them${corpus.note}`,
  () => {
    const vectors: readonly Vector[] = corpus.present
      ? JSON.parse(corpusFile('expression-vectors.json'))
      : [];

    const named = vectors.map((vector) => [vector.id, vector.expr.slice(0, 80), vector] as const);

    test.each(named.filter(([, , { error }]) => error === undefined))('%i %s', (_id, _expr, vector) => {
      const result = parseExpression(vector.expr, vectorOptions(vector));
      const tree = result.ok ? engineJson(result.tree) : result.error;
      // The vectors that the public engine refuses have no tree.
      expect({ ok: result.ok, tree: vector.ast === undefined ? undefined : tree }).toEqual({
        ok: true,
        tree: vector.ast,
      });
    });

    test.each(named.filter(([, , { error }]) => error !== undefined))(
      '%i refuses %s',
      (_id, _expr, vector) => {
        const { byteOffset, ...error } = vector.error ?? { byteOffset: 0 };
        expect(parseExpression(vector.expr, vectorOptions(vector))).toMatchObject({
          ok: false,
          error: { ...error, span: { start: byteOffset } },
        });
      },
    );
  },
);

describe.skipIf(!corpus.present)(`the parse results of the corpus${corpus.note}`, () => {
  const rows: readonly ParseRow[] = corpus.present
    ? corpusLines('expression-parse.jsonl')
        .slice(1)
        .map((line) => JSON.parse(line))
    : [];

  test('agree in kind, line, column, length and message', () => {
    const wrong = rows.flatMap((row) => {
      const result = parseExpression(row.expr, {
        mode: row.mode,
        scheme: corpusScheme,
        fieldsOnTheRight: false,
      });
      const got = result.ok ? undefined : errorRow(result.error);
      return JSON.stringify(got) === JSON.stringify(row.error)
        ? []
        : [{ expr: row.expr, got, want: row.error }];
    });
    expect(rows.length).toBeGreaterThan(1000);
    expect(wrong).toEqual([]);
  });

  test('come first when all errors are collected', () => {
    const wrong = rows.flatMap((row) => {
      const settings = { mode: row.mode, scheme: corpusScheme, fieldsOnTheRight: false } as const;
      const result = parseExpression(row.expr, settings);
      const [first] = findErrors(row.expr, settings);
      return isDeepStrictEqual(first, result.ok ? undefined : result.error) ? [] : [row.expr, first];
    });
    expect(wrong).toEqual([]);
  });
});
