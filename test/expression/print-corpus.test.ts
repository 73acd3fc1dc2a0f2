import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../src/expression/parse.ts';
import { printExpression } from '../../src/expression/print.ts';
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
        JSON.stringify(spelling(engineJson(again.tree))) === JSON.stringify(spelling(engineJson(parsed.tree))) &&
        sameMeaning(again.tree, parsed.tree) &&
        printExpression(again.tree, options) === printed;
      return same ? [] : [{ line, printed, again }];
    });
    expect(wrong).toEqual([]);
  });
});
