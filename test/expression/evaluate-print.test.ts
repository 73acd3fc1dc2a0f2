import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tree } from '../../src/expression/language/ast.ts';
import { CATALOGUE, LISTED_TYPES } from '../../src/expression/language/catalogue.ts';
import { compileExpression } from '../../src/expression/evaluate/compile-expression.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { printExpression } from '../../src/expression/print/print-expression.ts';
import { readValues, valueToJson } from '../../src/expression/values/read-json.ts';
import type { Values } from '../../src/expression/values/value.ts';
import { propertyRuns } from '../property-runs.ts';
import { SCHEME } from './evaluated.ts';

const texts = fc.constantFrom('', 'a', 'A', 'ab', 'abc', 'a/b', 'x*y', 'ä', '"', 'a\\b', 'a"#b', '\n');
const ints = fc.constantFrom(-1, 0, 1, 2, 7, 8, 80, 255, 4_294_967_296);
const addresses = fc.constantFrom(
  '10.0.0.1',
  '10.0.0.200',
  '192.0.2.7',
  '::1',
  '2001:db8::5',
  '::ffff:10.0.0.1',
);

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, '\\$&')}"`;
}

function hex(text: string): string {
  return Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, '0')).join(':');
}

const textLiterals = fc
  .tuple(texts, fc.constantFrom('quoted', 'raw', 'hex', 'escaped'))
  .map(([text, form]): string => {
    if (form === 'raw') {
      return `r##"${text}"##`;
    }
    if (form === 'hex' && Buffer.byteLength(text) > 1) {
      return hex(text);
    }
    return form === 'escaped'
      ? `"${Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`
      : quote(text);
  });
const intLiterals = ints.chain((value) =>
  fc.constantFrom(String(value), ...(value >= 0 ? [`0x${value.toString(16)}`, `0${value.toString(8)}`] : [])),
);
const intItems = fc.oneof(intLiterals, fc.constantFrom('0..10', '-5..0', '7..7', '100..9223372036854775807'));
const addressItems = fc.oneof(
  addresses,
  fc.constantFrom(
    '10/8',
    '192.000.002.0/24',
    '::/0',
    '2001:db8::/32',
    '10.0.0.0..10.0.0.100',
    '10.0.0.5..11.0.0.0',
  ),
);
const ordering = fc.constantFrom('eq', '==', 'ne', '!=', 'lt', '<', 'le', '<=', 'gt', '>', 'ge', '>=');
const regexes = fc.constantFrom('"^a"', 'r"[a-b]+"', '"\\\\."', '"(?i)B$"', 'r#"a"?b"#', '"[\\"x]"', '"^$"');
const wildcards = fc.constantFrom('"a*"', 'r"x\\*y"', '"*B"', '"*"', '"a?c"', '"\\\\*"');
const gaps = fc.constantFrom(' ', '\n', '  ', ' \n ');

const bytesOperands = fc.constantFrom(
  's1',
  's2',
  'as[0]',
  'as[1]',
  'ms["k"]',
  'mas["q"][0]',
  'aas[0][1]',
  'lower(s1)',
  'upper(as[1])',
  'concat(s1, "b")',
  'concat(ms["k"], s2, "x")',
  'to_string(i1)',
  'url_decode(s1, "r")',
  'coalesce(ms["k"], s1)',
  'substring(s2, 1)',
);
const intOperands = fc.constantFrom('i1', 'i2', 'ai[0]', 'mi["k"]', 'len(s1)', 'len(as)');
const eachBytes = fc.constantFrom(
  'as[*]',
  'ms[*]',
  'mas["k"][*]',
  'aas[*][0]',
  'mas[*][*]',
  'lower(as[*])[*]',
);
const eachInts = fc.constantFrom('ai[*]', 'mi[*]', 'len(as[*])[*]');

function bytesTests(operands: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      operands,
      fc.oneof(
        fc.tuple(ordering, gaps, textLiterals).map((parts) => parts.join('')),
        fc.array(textLiterals, { maxLength: 3 }).map((items) => `in { ${items.join(' ')} }`),
        textLiterals.map((text) => `contains ${text}`),
        regexes.map((regex) => `matches ${regex}`),
        wildcards.map((wildcard) => `wildcard ${wildcard}`),
        wildcards.map((wildcard) => `strict wildcard ${wildcard}`),
      ),
    )
    .map(([operand, test]) => `${operand} ${test}`);
}

function intTests(operands: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      operands,
      fc.oneof(
        fc.tuple(ordering, intLiterals).map((parts) => parts.join(' ')),
        fc.array(intItems, { maxLength: 4 }).map((items) => `in {${items.join(' ')}}`),
        intLiterals.map((mask) => `& ${mask}`),
      ),
    )
    .map(([operand, test]) => `${operand} ${test}`);
}

const addressTests = fc
  .tuple(
    fc.constantFrom('ip1', 'ip2'),
    fc.oneof(
      fc.tuple(ordering, addresses).map((parts) => parts.join(' ')),
      fc.array(addressItems, { maxLength: 4 }).map((items) => `in {${items.join(' ')}}`),
    ),
  )
  .map((parts) => parts.join(' '));

/** Conditions over a leaf: random operators and parentheses, in any spelling. */
function conditions(leaf: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc
        .tuple(
          fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
          fc.constantFrom('and', '&&', 'or', '||', 'xor', '^^'),
          gaps,
        )
        .map(([items, operator, gap]) => items.join(`${gap}${operator} `)),
      tie('condition').map((item) => `(${item})`),
      fc
        .tuple(fc.constantFrom('not ', '!', 'not not '), tie('condition'))
        .map(([not, item]) => `${not}(${item})`),
    ),
  }));
  return condition;
}

const quantified = fc
  .tuple(fc.constantFrom('any', 'all'), conditions(fc.oneof(bytesTests(eachBytes), intTests(eachInts))))
  .map(([quantifier, argument]) => `${quantifier}((${argument}))`);

const leaves = fc.oneof(
  { weight: 4, arbitrary: bytesTests(bytesOperands) },
  { weight: 3, arbitrary: intTests(intOperands) },
  { weight: 2, arbitrary: addressTests },
  { weight: 3, arbitrary: quantified },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'b1',
      'not b2',
      'ab[1]',
      'any(ab)',
      'all(ab)',
      'true',
      'has_key(ms, "k")',
      'has_value(as, s1)',
      'starts_with(s1, "a")',
      'all(starts_with(as[*], s2))',
      's1 eq s2',
      'len(s1) ge len(s2)',
      'ip1 ne ip2',
      'i1 lt mi["k"]',
    ),
  },
);

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 4 });
const keys = fc.constantFrom('k', 'q', 'z');
const requests = fc
  .record({
    b1: optional(fc.boolean()),
    b2: optional(fc.boolean()),
    i1: optional(ints),
    i2: optional(ints),
    s1: optional(texts),
    s2: optional(texts),
    ip1: optional(addresses),
    ip2: optional(addresses),
    ab: optional(fc.array(fc.boolean(), { maxLength: 3 })),
    ai: optional(fc.array(ints, { maxLength: 3 })),
    as: optional(fc.array(texts, { maxLength: 3 })),
    aas: optional(fc.array(fc.array(texts, { maxLength: 2 }), { maxLength: 3 })),
    mi: optional(fc.dictionary(keys, ints, { maxKeys: 3 })),
    ms: optional(fc.dictionary(keys, texts, { maxKeys: 3 })),
    mas: optional(fc.dictionary(keys, fc.array(texts, { maxLength: 2 }), { maxKeys: 3 })),
  })
  .map((json): Values => {
    const read = readValues(json, SCHEME);
    if (!read.ok) {
      throw new Error(read.problems.join('; '));
    }
    return read.values;
  });

function parse(text: string): Tree {
  const parsed = parseExpression(text, {
    scheme: { fields: SCHEME, functions: CATALOGUE.functions, lists: LISTED_TYPES },
    fieldsOnTheRight: true,
  });
  if (!parsed.ok) {
    throw new Error(`${text}: ${parsed.error.message}`);
  }
  return parsed.tree;
}

function results(tree: Tree, values: readonly Values[]): unknown {
  return [true, false].map((nilNotEqual) => {
    const compiled = compileExpression(tree, { nilNotEqual });
    return compiled.ok ? values.map((one) => valueToJson(compiled.evaluate(one))) : compiled;
  });
}

describe('printing and evaluation', () => {
  it('agree: what is printed and read again gives the same results', () => {
    fc.assert(
      fc.property(
        conditions(leaves),
        fc.array(requests, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(undefined, 20, 60),
        (text, values, width) => {
          const tree = parse(text);
          const printed = printExpression(tree, width === undefined ? {} : { width, maximumLength: 1e6 });
          const before = results(tree, values);
          expect(before).toEqual([
            values.map(() => expect.any(Boolean)),
            values.map(() => expect.any(Boolean)),
          ]);
          expect([printed, results(parse(printed), values)]).toEqual([printed, before]);
        },
      ),
      { numRuns: propertyRuns() },
    );
  });
});
