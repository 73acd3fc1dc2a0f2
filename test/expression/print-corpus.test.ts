import { describe, expect, test } from 'vitest';
import { findErrors, parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { printExpression } from '../../src/expression/print/print-expression.ts';
import { sameMeaning } from '../../src/expression/same-meaning.ts';
import { corpus, corpusLines } from './corpus.ts';
import { engineJson } from './engine-json.ts';

const lines = corpus.present ? corpusLines('expressions.txt') : [];

describe.skipIf(!corpus.present)(`the expressions of the corpus${corpus.note}`, () => {
  test.each([undefined, 60])('print to a text that parses to the same tree (width %s)', (width) => {
    const options = width === undefined ? {} : { width };
    const wrong = lines.flatMap((line) => {
      const parsed = parseExpression(line);
      if (!parsed.ok) {
        return [];
      }
      const printed = printExpression(parsed.tree, options);
      const again = parseExpression(printed);
      const same =
        again.ok &&
        JSON.stringify(engineJson(again.tree)) === JSON.stringify(engineJson(parsed.tree)) &&
        sameMeaning(again.tree, parsed.tree) &&
        printExpression(again.tree, options) === printed;
      return same ? [] : [{ line, printed, again }];
    });
    expect(wrong).toEqual([]);
    expect(lines.length).toBeGreaterThan(1000);
  });

  test('parse, except for at most 56 that are bad on purpose or use names of other dialects', () => {
    const refused = lines.filter(
      (line) => !parseExpression(line).ok && !parseExpression(line, { mode: 'value' }).ok,
    );
    // rules-language.md 10: 113 of 2,122, of which the corpus holds a half.
    expect(refused.length).toBeLessThanOrEqual(56);
  });

  test('give a tree or an error with a position if they are doubtful', () => {
    for (const line of corpusLines('expressions-doubtful.txt')) {
      const result = parseExpression(line);
      const [first] = findErrors(line);
      expect(first).toEqual(result.ok ? undefined : result.error);
      expect(result.ok || result.error.column > 0).toBe(true);
    }
  });
});
