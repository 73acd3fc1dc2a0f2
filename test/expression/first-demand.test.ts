import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { demandsOf, firstDemand } from '../../src/expression/imply/demands.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { propertyRuns } from '../property-runs.ts';

test.each([
  ['http.host eq "a.example"', { field: 'http.host', values: ['a.example'] }],
  [
    '((http.host == "a.example" and ssl) and not ip.src eq 192.0.2.1)',
    { field: 'http.host', values: ['a.example'] },
  ],
  ['http.request.method eq "or" && ssl', { field: 'http.request.method', values: ['or'] }],
])('reads the first demand of %s', (text, demand) => {
  expect(firstDemand(text)).toEqual(demand);
});

test.each([
  'http.host eq "a" or ssl',
  'http.host eq "a"||ssl',
  'http.host eq "a" xor ssl',
  '(http.host eq "a" and ssl) ^^ ssl',
  'http.host eq "a"orssl',
  'not http.host eq "a"',
  'nothttp.host eq "a"',
  'http.host eq "a\\"b"',
  'http.host eq "ü"',
  'http.host eq http.referer',
  'http.host in {"a" "b"}',
  'lower(http.host) eq "a"',
  'http.unheard_of eq "a"',
  'ssl',
  '',
])('reads no demand from %s', (text) => {
  expect(firstDemand(text)).toBeUndefined();
});

const single = fc.constantFrom(
  'http.host eq "a"',
  'http.host == "b"',
  'http.host eq "a or b"',
  'http.request.uri.path eq "/forum"',
  'http.request.method eq "x^^y"',
  'http.host ne "a"',
  'ssl',
  'cf.bot_management.score lt 30',
);
const condition: fc.Arbitrary<string> = fc.letrec<{ readonly condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    single,
    tie('condition').map((inner) => `(${inner})`),
    tie('condition').map((inner) => `not ${inner}`),
    fc
      .tuple(
        tie('condition'),
        fc.constantFrom(' and ', '&&', ' or ', '||', ' xor ', '^^', 'or '),
        tie('condition'),
      )
      .map((parts) => parts.join('')),
  ),
})).condition;

test('reads only demands that the parsed tree has', () => {
  fc.assert(
    fc.property(condition, (text) => {
      const parsed = parseExpression(text);
      fc.pre(parsed.ok);
      const demand = firstDemand(text);
      expect(demandsOf(parsed.tree)).toEqual(expect.arrayContaining(demand === undefined ? [] : [demand]));
    }),
    { numRuns: propertyRuns() },
  );
});
