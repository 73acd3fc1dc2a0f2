import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Condition, Tree } from '../../src/expression/language/ast.ts';
import { differenceOf } from '../../src/expression/difference.ts';
import { compileFilter } from '../../src/expression/evaluate/compile-expression.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { printExpression } from '../../src/expression/print/print-expression.ts';
import { sameMeaning } from '../../src/expression/same-meaning.ts';
import type { Values } from '../../src/expression/values/value.ts';
import { propertyRuns } from '../property-runs.ts';
import * as arbitrary from './arbitrary.ts';
import * as build from './build.ts';
import { CASE_SCHEME } from './cases/scheme.ts';
import { engineJson } from './engine-json.ts';

const runs = { numRuns: propertyRuns() };
const tree = fc.oneof({ weight: 4, arbitrary: arbitrary.filter }, { weight: 1, arbitrary: arbitrary.value });

function reparse(text: string, mode: Tree['mode']): Tree {
  const result = parseExpression(text, { scheme: CASE_SCHEME, mode });
  if (!result.ok) {
    throw new Error(`${text}: ${result.error.message}`);
  }
  return result.tree;
}

function evaluate(root: Condition, values: Values, nilNotEqual: boolean): boolean {
  const compiled = compileFilter(root, { nilNotEqual });
  if (!compiled.ok) {
    throw new Error(compiled.problems.map(({ message }) => message).join());
  }
  return compiled.evaluate(values);
}

describe('printing', () => {
  test('gives a text that parses to the same tree, on one line and on several', () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 10, max: 120 }), (given, width) => {
        for (const options of [{}, { width, maximumLength: 100_000 }]) {
          const printed = printExpression(given, options);
          const again = reparse(printed, given.mode);
          expect(engineJson(again)).toEqual(engineJson(given));
          expect(printExpression(again, options)).toBe(printed);
          expect(sameMeaning(again, given)).toBe(true);
        }
      }),
      runs,
    );
  });

  test('keeps what an expression evaluates to', () => {
    fc.assert(
      fc.property(arbitrary.condition, arbitrary.values, fc.boolean(), (root, values, nilNotEqual) => {
        const again = reparse(printExpression({ mode: 'filter', root }), 'filter');
        expect(again.mode === 'filter' && evaluate(again.root, values, nilNotEqual)).toBe(
          evaluate(root, values, nilNotEqual),
        );
      }),
      runs,
    );
  });
});

/** One step that keeps the meaning, at a place that the numbers choose. */
function rewrite(condition: Condition, choices: readonly number[]): Condition {
  const [choice = 0, ...rest] = choices;
  if (condition.kind === 'group') {
    return choice % 2 === 0 ? rewrite(condition.item, rest) : build.group(rewrite(condition.item, rest));
  }
  if (condition.kind === 'and' || condition.kind === 'or' || condition.kind === 'xor') {
    const items = condition.items.map((item, index) => rewrite(item, [...rest, index]));
    const turned = [...items.slice(choice % items.length), ...items.slice(0, choice % items.length)];
    const dual = ({ and: 'or', or: 'and', xor: undefined } as const)[condition.kind];
    if (choice % 3 === 0 && dual !== undefined) {
      return build.not(
        build.group(
          build.join(
            dual,
            turned.map((item) => build.not(build.group(item))),
          ),
        ),
      );
    }
    const [first, ...others] = turned;
    return choice % 3 === 1 && others.length > 1 && first !== undefined
      ? build.join(condition.kind, [first, build.group(build.join(condition.kind, others))])
      : build.join(condition.kind, turned);
  }
  if (condition.kind === 'not') {
    return build.not(rewrite(condition.item, rest));
  }
  if (condition.kind === 'comparison' && condition.operator === 'in' && condition.right.kind === 'set') {
    return splitSet(condition.left, condition.right.items.length, condition);
  }
  return choice % 4 === 0 ? build.not(build.not(build.group(condition))) : condition;
}

/** `x in {a b}` as `x in {b b} or x in {a}`. */
function splitSet(left: Parameters<typeof build.compare>[0], size: number, condition: Condition): Condition {
  if (condition.kind !== 'comparison' || condition.right.kind !== 'set' || size < 2) {
    return condition;
  }
  const { of, items } = condition.right;
  const [first, ...others] = items;
  const part = (some: readonly unknown[]): Condition =>
    build.compare(left, { operator: 'in', right: build.set(some as Parameters<typeof build.set>[0], of) });
  return build.group(build.join('or', [part([...others, ...others]), part([first])]));
}

describe('sameMeaning', () => {
  test('recognizes rewrites that keep the meaning, which evaluation confirms', () => {
    fc.assert(
      fc.property(
        arbitrary.condition,
        fc.array(fc.nat(11), { minLength: 12, maxLength: 12 }),
        arbitrary.values,
        (root, choices, values) => {
          const other = rewrite(root, choices);
          expect(evaluate(other, values, false)).toBe(evaluate(root, values, false));
          const [one, two] = [{ mode: 'filter', root } as const, { mode: 'filter', root: other } as const];
          expect(sameMeaning(one, two)).toBe(true);
          expect(sameMeaning(two, one)).toBe(true);
          expect(differenceOf(one, two)).toEqual([]);
        },
      ),
      runs,
    );
  });

  test('never holds for expressions that evaluate differently', () => {
    const flag = build.bare(build.field('flag'));
    const twice = build.not(build.not(build.group(flag)));
    const worlds = fc.sample(arbitrary.values, { numRuns: 10, seed: 1 });
    let same = 0;
    fc.assert(
      fc.property(
        arbitrary.smallCondition,
        arbitrary.smallCondition,
        fc.array(arbitrary.values, { minLength: 10, maxLength: 10 }),
        (one, other, samples) => {
          const [before, after] = [
            { mode: 'filter', root: one } as const,
            { mode: 'filter', root: other } as const,
          ];
          const isSame = sameMeaning(before, after);
          same += isSame ? 1 : 0;
          const results = (root: Condition): readonly boolean[] =>
            samples.flatMap((values) => [evaluate(root, values, false), evaluate(root, values, true)]);
          expect(isSame ? results(one) : []).toEqual(isSame ? results(other) : []);
          expect(differenceOf(before, after).length === 0).toBe(isSame);
        },
      ),
      { numRuns: propertyRuns() * 5, examples: [[flag, twice, worlds]] },
    );
    expect(same).toBeGreaterThan(0);
  });
});
