import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileFilter, parseExpression } from '../../src/expression/public.ts';
import type { Value } from '../../src/expression/index.ts';
import { compileKnownCondition, PartialMap } from '../../src/simulate/known.ts';
import { propertyRuns } from '../property-runs.ts';

const clause = fc.constantFrom(
  'http.request.uri.path eq "/a"',
  'lower(http.request.method) ne "post"',
  'ip.src.asnum in {1..2}',
  'len(http.user_agent) gt 1',
  'http.request.headers["x"][0] eq "1"',
  'any(http.request.headers["x"][*] eq "1")',
  'ssl',
  'true',
);
const condition: fc.Arbitrary<string> = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    clause,
    tie('condition').map((inner) => `not (${inner})`),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or', 'xor'), tie('condition'))
      .map(([one, operator, other]) => `(${one} ${operator} ${other})`),
  ),
})).condition;

const headers = fc.constantFrom<Value>(new Map(), new Map([['x', ['1']]]), new Map([['x', ['2', '1']]]));
const everything = fc.record({
  'http.request.uri.path': fc.constantFrom('/a', '/b'),
  'http.request.method': fc.constantFrom('GET', 'POST'),
  'ip.src.asnum': fc.constantFrom(1, 3),
  'http.user_agent': fc.constantFrom('', 'curl'),
  'http.request.headers': headers,
  ssl: fc.boolean(),
});

const context = { context: {}, lists: new Set<string>(), recorded: true };

test('what is said of a request of which something is not known holds whatever that is', () => {
  fc.assert(
    fc.property(
      condition,
      everything,
      fc.array(
        fc.constantFrom<string>(
          'http.request.uri.path',
          'ip.src.asnum',
          'http.user_agent',
          'ssl',
          'http.request.headers',
        ),
      ),
      (text, values, hidden) => {
        const parsed = parseExpression(text);
        const whole =
          parsed.ok && parsed.tree.mode === 'filter' ? compileFilter(parsed.tree.root) : undefined;
        const all = new Map<string, Value>(Object.entries(values));
        const known = new Map([...all].filter(([name]) => !hidden.includes(name)));
        const { evaluate, missing } = compileKnownCondition(text, context);
        const said = evaluate(known);
        const lacking = missing(known);
        const fits =
          said === undefined
            ? lacking.length > 0 && lacking.every((name) => hidden.some((one) => name.startsWith(one)))
            : said === (whole?.ok === true && whole.evaluate(all));
        expect(fits).toBe(true);
        expect(hidden.length > 0 || said !== undefined).toBe(true);
      },
    ),
    { numRuns: 5 * propertyRuns() },
  );
});

test('a map of which some keys are known answers for these alone', () => {
  const { evaluate } = compileKnownCondition('http.request.headers["x"][0] eq "1"', context);
  const other = compileKnownCondition('http.request.headers["y"][0] eq "1"', context);
  const names = compileKnownCondition('any(http.request.headers.names[*] eq "x")', context);
  const values = new Map<string, Value>([['http.request.headers', new PartialMap([['x', ['1']]])]]);
  expect([evaluate(values), other.evaluate(values), names.evaluate(values)]).toEqual([
    true,
    undefined,
    undefined,
  ]);
});
