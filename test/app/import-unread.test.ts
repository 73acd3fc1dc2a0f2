import { expect, test } from 'vitest';
import type { WholeScope } from '../../src/live/read-whole-scope.ts';
import type { RuleContent } from '../../src/model/rule.ts';
import { FILE, follow, inPhase, live } from './followed.ts';

// A rule that this version does not accept costs an import only that rule: it is named, and all others are in the files. Each import
// checks that a plan of its files would be empty; a second import changes nothing.

const HEAD = 'zone: shop.example\n';

function refsIn(text: string): readonly (string | undefined)[] {
  return [...text.matchAll(/- ref: (\w+)/gu)].map(([, ref]) => ref);
}

const MANY = Array.from({ length: 65 }, (_, at) => `http.host matches "${at}+"`).join(' or ');

test.each([
  ['grammar', 'http.host like "x*"', 'expression/syntax'],
  ['a signature', 'lower(http.host, "tr") eq "x"', 'expression/arguments'],
  ['a field', 'cf.edge.brand_new eq 1', 'expression/unknown-field'],
  ['a limit', MANY, 'expression/too-many-regexes'],
])('an import keeps an expression with %s that is newer, in its place', async (_, expression, code) => {
  const whole = live({ ref: 'first' }, { ref: 'odd', expression }, { ref: 'last' });
  const { texts, leftOut, unread } = await follow(HEAD, whole);
  const text = texts.get(FILE) ?? '';
  expect(refsIn(text)).toEqual(['first', 'odd', 'last']);
  expect(text).toContain(`# rulewright-disable-next-line ${code}: `);
  expect(leftOut).toEqual([]);
  expect(unread).toEqual([
    expect.stringMatching(/^odd in http_request_firewall_custom: .*`expression` \(.+\)/u),
  ]);
  expect(await follow(text, whole)).toMatchObject({ kind: 'unchanged', unread });
});

const LIMIT = { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 500 };
const NEWER = { ref: 'b', action: 'block', ratelimit: { ...LIMIT, brand_new: 1 } };
function limits(...rules: readonly (Partial<RuleContent> & { readonly ref: string })[]): WholeScope {
  return inPhase(
    live(...rules.map((rule) => ({ action: 'block', ratelimit: LIMIT, ...rule }))),
    'http_ratelimit',
  );
}

test('an import leaves a rule that no file can declare to others, in its place', async () => {
  const odd = { ...NEWER, ref: '0'.repeat(31).concat('9'), description: 'By hand' };
  const whole = limits({ ref: 'a' }, odd, { ref: 'c' });
  const { texts, leftOut, unread } = await follow(HEAD, whole);
  const text = texts.get(FILE) ?? '';
  expect(refsIn(text)).toEqual(['a', 'c']);
  expect(text).toContain('rules: [a, c]');
  expect(text).toMatch(/# left to others: “By hand” \(0+9\); .*brand_new/u);
  expect(leftOut).toEqual([]);
  expect(unread).toEqual([
    expect.stringMatching(/^“By hand” \(0+9\) in http_ratelimit: .*brand_new.*`ownership`/u),
  ]);
  expect(await follow(text, whole)).toMatchObject({ kind: 'unchanged' });
});

test('an import names the rule at fault where the file decides the ownership of its phase', async () => {
  const text = `${HEAD}entrypoints:\n  http_ratelimit:\n    rules: []\n`;
  const { kept } = await follow(text, limits({ ref: 'a' }, NEWER));
  expect(kept).toEqual([expect.stringMatching(/http_ratelimit: rule b: .*brand_new.*`ownership`/u)]);
});
