import * as fc from 'fast-check';
import type { Condition, Operand, Tree } from '../../src/expression/language/ast.ts';
import { bytesToString, encodeBytes } from '../../src/expression/values/bytes.ts';
import type { IpRange } from '../../src/data/index.ts';
import type { Value, Values } from '../../src/expression/values/value.ts';
import * as build from './build.ts';

const LEAST = -(2n ** 63n);
const LARGEST = 2n ** 63n - 1n;

/** Few different texts, so that conditions hit each other and the values, and some that are hard to write. */
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'a', 'b', 'ab', '/a') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }).map(encodeBytes) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 5 }).map(bytesToString) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom('"', '#', '\\', 'r', '*', '\n', '\t'), { maxLength: 8 })
      .map((all) => all.join('')),
  },
);
const keyText = fc.oneof(
  fc.constantFrom('k', 'l'),
  fc.string({ unit: 'binary', maxLength: 4 }).map(encodeBytes),
);
const integer = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(0n, 5n) },
  { weight: 1, arbitrary: fc.bigInt(LEAST, LARGEST) },
);
const addressValue = (family: 4 | 6): fc.Arbitrary<bigint> =>
  fc.oneof(fc.bigInt(1n, 4n), fc.bigInt(0n, family === 4 ? 2n ** 32n - 1n : 2n ** 128n - 1n));
const family = fc.constantFrom<4 | 6>(4, 6);
const address = family.chain((of) => addressValue(of).map((value) => ({ family: of, value })));
const addressRange: fc.Arbitrary<IpRange> = family.chain((of) =>
  fc.tuple(addressValue(of), addressValue(of)).map(([one, other]) => ({
    family: of,
    first: one < other ? one : other,
    last: one < other ? other : one,
  })),
);
const integerRange = fc
  .tuple(integer, integer)
  .map(([one, other]) => build.intRange(one < other ? one : other, one < other ? other : one));
const pattern = fc.constantFrom(
  'a',
  '^/a',
  'a|b',
  '\\d+',
  '["\\]]',
  'a"b',
  '',
  '(?i)B',
  '[^a]$',
  'a\\.b',
  '"#',
);
const wildcardPattern = fc.constantFrom('*', 'a*', '*b*', '\\*', 'a', '/*/b', '"*"', '\\\\*');

const bytesOperand: fc.Arbitrary<Operand> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(build.field('text')) },
  fc.constant(build.field('texts', build.element(0))),
  keyText.map((name) => build.field('map', build.key(name))),
  fc.constant(build.field('lists', build.key('k'), build.element(1))),
  fc.constant(build.field('deep', build.element(0), build.element(1))),
  fc.constant(build.call('lower', [build.field('text')])),
  text.map((value) => build.call('concat', [build.field('text'), build.bytes(value)])),
  text.map((value) => build.call('coalesce', [build.field('map', build.key('k')), build.bytes(value)])),
);
const integerOperand: fc.Arbitrary<Operand> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(build.field('num')) },
  fc.constant(build.field('nums', build.element(0))),
  bytesOperand.map((operand) => build.call('len', [operand])),
  fc.constant(build.call('len', [build.field('texts')])),
);
const addressOperand: fc.Arbitrary<Operand> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(build.field('addr')) },
  fc.constant(build.call('cidr', [build.field('addr'), build.int(24n), build.int(64n)])),
);
const bytesArray: fc.Arbitrary<Operand> = fc.oneof(
  fc.constant(build.field('texts', build.each)),
  fc.constant(build.field('map', build.each)),
  fc.constant(build.field('lists', build.each, build.each)),
  fc.constant(build.field('lists', build.key('k'), build.each)),
  fc.constant(build.field('deep', build.each, build.element(0))),
  fc.constant(build.call('lower', [build.field('texts', build.each)], build.each)),
);
const integerArray: fc.Arbitrary<Operand> = fc.oneof(
  fc.constant(build.field('nums', build.each)),
  fc.constant(build.call('len', [build.field('texts', build.each)], build.each)),
);

const ordering = fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge');

function bytesTest(left: Operand): fc.Arbitrary<Condition> {
  return fc.oneof(
    fc
      .tuple(ordering, text)
      .map(([operator, value]) => build.compare(left, { operator, right: build.bytes(value) })),
    fc
      .array(text, { maxLength: 3 })
      .map((values) =>
        build.compare(left, { operator: 'in', right: build.set(values.map(build.bytes), 'Bytes') }),
      ),
    text.map((value) => build.compare(left, { operator: 'contains', right: build.bytes(value) })),
    pattern.map((value) => build.compare(left, { operator: 'matches', right: build.regex(value) })),
    wildcardPattern.map((value) =>
      build.compare(left, { operator: 'wildcard', right: build.wildcard(value) }),
    ),
    wildcardPattern.map((value) =>
      build.compare(left, { operator: 'strict wildcard', right: build.wildcard(value) }),
    ),
    fc.constant(
      build.compare(left, { operator: 'in', right: { kind: 'list', name: 'names', span: left.span } }),
    ),
  );
}

function integerTest(left: Operand): fc.Arbitrary<Condition> {
  return fc.oneof(
    fc
      .tuple(ordering, integer)
      .map(([operator, value]) => build.compare(left, { operator, right: build.int(value) })),
    fc
      .array(integerRange, { maxLength: 3 })
      .map((items) => build.compare(left, { operator: 'in', right: build.set(items, 'Int') })),
    integer.map((value) => build.compare(left, { operator: 'bitwise_and', right: build.int(value) })),
  );
}

function addressTest(left: Operand): fc.Arbitrary<Condition> {
  return fc.oneof(
    fc
      .tuple(ordering, address)
      .map(([operator, value]) => build.compare(left, { operator, right: build.ip(value) })),
    fc
      .array(addressRange, { maxLength: 3 })
      .map((ranges) =>
        build.compare(left, { operator: 'in', right: build.set(ranges.map(build.ipRange), 'Ip') }),
      ),
  );
}

const single: fc.Arbitrary<Condition> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom('flag', 'other_flag').map((name) => build.bare(build.field(name))),
  },
  fc.constant(build.bare(build.field('flags', build.element(0)))),
  text.map((value) => build.bare(build.call('starts_with', [build.field('text'), build.bytes(value)]))),
  keyText.map((value) => build.bare(build.call('has_key', [build.field('map'), build.bytes(value)]))),
  { weight: 2, arbitrary: bytesOperand.chain(bytesTest) },
  { weight: 2, arbitrary: integerOperand.chain(integerTest) },
  { weight: 2, arbitrary: addressOperand.chain(addressTest) },
  fc
    .tuple(ordering, bytesOperand, bytesOperand)
    .map(([operator, left, right]) => build.compare(left, { operator, right })),
);
const elementwiseSingle: fc.Arbitrary<Condition> = fc.oneof(
  fc.constant(build.bare(build.field('flags'))),
  fc.constant(build.bare(build.field('flags', build.each))),
  bytesArray.chain(bytesTest),
  integerArray.chain(integerTest),
);

function nested(leaf: fc.Arbitrary<Condition>, depth: number): fc.Arbitrary<Condition> {
  if (depth === 0) {
    return leaf;
  }
  const inner = nested(leaf, depth - 1);
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    inner.map(build.not),
    inner.map(build.group),
    fc
      .tuple(fc.constantFrom('and', 'or', 'xor'), fc.array(inner, { minLength: 2, maxLength: 3 }))
      .map(([kind, items]) => build.join(kind, items)),
  );
}

const elementwise = nested(elementwiseSingle, 2);
const quantified: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom('any', 'all'), fc.oneof(fc.constant(build.field('flags')), elementwise))
  .map(([quantifier, given]) => build.quantify(quantifier, given));
const asArgument: fc.Arbitrary<Condition> = nested(single, 1).map((condition) =>
  build.compare(build.call('to_string', [{ kind: 'condition', condition, span: condition.span }]), {
    operator: 'eq',
    right: build.bytes('true'),
  }),
);

/** A condition of type Bool over the scheme of the cases. */
export const condition: fc.Arbitrary<Condition> = nested(
  fc.oneof(
    { weight: 6, arbitrary: single },
    { weight: 2, arbitrary: quantified },
    { weight: 1, arbitrary: asArgument },
  ),
  3,
);

/** A small condition over few fields, so that two of them are often alike. */
export const smallCondition: fc.Arbitrary<Condition> = nested(
  fc.oneof(
    fc.constantFrom('flag', 'other_flag').map((name) => build.bare(build.field(name))),
    fc
      .tuple(fc.constantFrom('eq', 'ne'), fc.bigInt(0n, 1n))
      .map(([operator, value]) =>
        build.compare(build.field('nums', build.element(0)), { operator, right: build.int(value) }),
      ),
  ),
  2,
);

const casedText = fc.oneof(
  { weight: 3, arbitrary: fc.constant(build.field('text')) },
  fc.constantFrom('lower', 'upper').map((name) => build.call(name, [build.field('text')])),
);
const shortText = fc.constantFrom('', 'a', 'b', 'ab', 'B', '/a', '/A');

/** A test of one text; two of these often imply or exclude each other. */
export const textTest: fc.Arbitrary<Condition> = casedText.chain((operand) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('starts_with', 'ends_with'), shortText)
      .map(([name, part]) => build.bare(build.call(name, [operand, build.bytes(part)]))),
    fc
      .tuple(
        fc.constantFrom('wildcard', 'strict wildcard'),
        fc.constantFrom('*', 'a*', 'A*', '*b', '*b*', '/a*b', 'a', 'B', '/*'),
      )
      .map(([operator, written]) => build.compare(operand, { operator, right: build.wildcard(written) })),
    bytesTest(operand),
  ),
);

/** A whole filter. */
export const filter: fc.Arbitrary<Tree> = condition.map((root) => ({ mode: 'filter', root }));

/** A value expression. */
export const value: fc.Arbitrary<Tree> = fc
  .oneof(bytesOperand, integerOperand, addressOperand)
  .map((root) => ({ mode: 'value', root }));

const number = fc.integer({ min: 0, max: 4 });
const word = fc.constantFrom('', 'a', 'b', 'ab', '/a', 'B', '/A', 'A', '/ab');
const keys = fc.constantFrom('k', 'l');
const map = (of: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.array(fc.tuple(keys, of), { maxLength: 2 }).map((entries) => new Map(entries));
const TYPES: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  flag: fc.boolean(),
  other_flag: fc.boolean(),
  flags: fc.array(fc.boolean(), { maxLength: 3 }),
  num: number,
  nums: fc.array(number, { maxLength: 3 }),
  text: word,
  texts: fc.array(word, { maxLength: 3 }),
  deep: fc.array(fc.array(word, { maxLength: 2 }), { maxLength: 2 }),
  map: map(word),
  lists: map(fc.array(word, { maxLength: 2 })),
  addr: address,
};

/** Values of all fields of the scheme of the cases; any may be missing. */
export const values: fc.Arbitrary<Values> = fc
  .record(TYPES, { requiredKeys: [] })
  .map(
    (given) =>
      new Map(Object.entries(given).filter((entry): entry is [string, Value] => entry[1] !== undefined)),
  );
