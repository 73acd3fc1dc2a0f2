import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/expression/catalogue.ts';
import { compileExpression } from '../../src/expression/evaluate/compile.ts';
import type { EvaluationContext } from '../../src/expression/evaluate/options.ts';
import { parseExpression } from '../../src/expression/parse.ts';
import { LISTED_TYPES } from '../../src/expression/scheme.ts';
import { BOOL, parseType } from '../../src/expression/type.ts';
import type { Type } from '../../src/expression/type.ts';
import { ipRangesContain, mergeIpRanges } from '../../src/expression/values/ip-ranges.ts';
import { parseIpSetItem } from '../../src/expression/values/ip-set-item.ts';
import { readValues, valueToJson } from '../../src/expression/values/read-json.ts';
import { isIp } from '../../src/expression/values/value.ts';
import type { Value } from '../../src/expression/values/value.ts';

const corpus = process.env['RULEWRIGHT_CORPUS'];
const skipped = corpus === undefined ? ' (skipped: RULEWRIGHT_CORPUS is not set)' : '';

interface Evaluation {
  readonly expr: string;
  readonly mode?: 'filter' | 'value';
  readonly scheme: Readonly<Record<string, string>>;
  readonly values: unknown;
  readonly nilNotEqual: boolean;
  readonly context?: EvaluationContext;
}

function read(name: string): string {
  return readFileSync(join(corpus ?? '', 'corpus', name), 'utf8');
}

/** The result as JSON, or what stands in the way of one. */
function evaluate({ expr, mode = 'filter', scheme, values, nilNotEqual, context = {} }: Evaluation): unknown {
  // The service has the two words in every scheme, the open engine in none.
  const fields = new Map<string, Type>([
    ['true', BOOL],
    ['false', BOOL],
  ]);
  for (const [name, written] of Object.entries(scheme)) {
    const type = parseType(written);
    expect(type, `type of ${name}`).toBeDefined();
    fields.set(name, type as Type);
  }
  const parsed = parseExpression(expr, {
    mode,
    scheme: { fields, functions: CATALOGUE.functions, lists: LISTED_TYPES },
  });
  if (!parsed.ok) {
    return `does not parse: ${parsed.error.message}`;
  }
  const given = readValues(values, fields);
  const compiled = compileExpression(parsed.tree, { nilNotEqual, context });
  if (!given.ok || !compiled.ok) {
    return given.ok ? compiled : given;
  }
  return valueToJson(compiled.evaluate(given.values));
}

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
  readonly scheme: Readonly<Record<string, string>>;
  readonly fields: unknown;
  readonly expect: boolean | 'error' | 'value';
  readonly value?: unknown;
  readonly options?: { readonly nilNotEqual?: boolean };
  readonly lists?: Readonly<Record<string, Readonly<Record<string, readonly (string | number)[]>>>>;
  readonly note: string;
}

/** The lists of a vector: by type, then by name. */
function listsOf(lists: Vector['lists']): EvaluationContext {
  return {
    inList: (name, value) =>
      Object.entries(lists ?? {}).some(([type, named]) => holds({ type, items: named[name] ?? [] }, value)),
  };
}

function holds(list: { readonly type: string; readonly items: readonly (string | number)[] }, value: Value): boolean {
  if (list.type !== 'Ip') {
    return list.items.some((item) => item === value);
  }
  const ranges = list.items.map((item) => {
    const parsed = parseIpSetItem(String(item));
    expect(parsed.ok, `list item ${item}`).toBe(true);
    return parsed.ok ? parsed.item.range : { family: 4 as const, first: 1n, last: 0n };
  });
  return isIp(value) && ipRangesContain(mergeIpRanges(ranges), value);
}

describe.skipIf(corpus === undefined)(`evaluation against the corpus${skipped}`, () => {
  it('agrees with every random expression', () => {
    const [about = '', ...lines] = read('expression-eval.jsonl').trim().split('\n');
    const { scheme } = JSON.parse(about) as { readonly scheme: Readonly<Record<string, string>> };
    const cases = lines.map((line) => JSON.parse(line) as EvalCase);
    const wrong = cases.filter((one) => evaluate({ ...one, scheme }) !== one.result).map((one) => one.expr);
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThanOrEqual(1500);
  });

  it('agrees with every vector that has a result', () => {
    const vectors = (JSON.parse(read('expression-vectors.json')) as readonly Vector[]).filter(
      (vector) => vector.expect !== 'error',
    );
    const wrong = vectors
      .map((vector) => ({
        ...vector,
        result: evaluate({
          ...vector,
          values: vector.fields,
          nilNotEqual: vector.options?.nilNotEqual ?? true,
          context: listsOf(vector.lists),
        }),
      }))
      .filter((vector) => {
        const wanted = vector.expect === 'value' ? (vector.value ?? null) : vector.expect;
        return JSON.stringify(vector.result) !== JSON.stringify(wanted);
      })
      .map(({ id, expr, expect: wanted, result, note }) => ({ id, expr, wanted, result, note }));
    expect(wrong).toEqual([]);
    expect(vectors.length).toBeGreaterThanOrEqual(250);
  });
});
