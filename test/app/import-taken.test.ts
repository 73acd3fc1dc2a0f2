import { expect, test } from 'vitest';

import type { WholeScope } from '../../src/live/read-whole-scope.ts';
import { id, liveRule, liveRuleset } from '../plan/build.ts';
import { FILE, follow, live } from './followed.ts';

// An import judges what each change from live does to the protection, for whoever reviews the files.

const HEAD = 'zone: shop.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n';
const BLOCK = '      - { ref: block, expression: ssl, action: block }\n';
const SKIP = { ref: 'skip', action: 'skip', action_parameters: { ruleset: 'current' } };

/** The changes of an import, each in a line. */
async function taken(text: string, whole: WholeScope): Promise<readonly string[]> {
  const { changes } = await follow(text, whole);
  return changes.map(({ rule, difference, severity, reason = '', everyRequest = '' }) =>
    [rule, difference, severity, reason, everyRequest].filter((one) => one !== '').join(' | '),
  );
}

test('an import judges a new skip rule, a deleted rule and a disabled rule as weakening', async () => {
  expect(
    await taken(
      `${HEAD}${BLOCK}      - { ref: gone, expression: ssl, action: block }\n`,
      live({ ref: 'block', action: 'block', enabled: false }, SKIP),
    ),
  ).toEqual([
    'block | changed-live | weakening | is switched off',
    'gone | missing-live | weakening | no longer blocks what it matches',
    'skip | only-live | weakening | skips the rules after it',
  ]);
});

test('an import reports a strengthening rule that applies to every request', async () => {
  const all = { ref: 'all', action: 'block', expression: 'true' };
  expect(await taken(HEAD + BLOCK, live({ ref: 'block', action: 'block' }, all))).toEqual([
    'all | only-live | strengthening | blocks what it matches | blocks every request',
  ]);
});

test('an import judges the rules of a phase that is new in the files as new rules', async () => {
  const whole = live({ ref: 'block', action: 'block' });
  const more = { ...liveRuleset([liveRule(7, SKIP)]), id: id(0x21), phase: 'http_request_firewall_managed' };
  expect(await taken(HEAD + BLOCK, { ...whole, rulesets: [...whole.rulesets, more] })).toEqual([
    'skip | only-live | weakening | skips the rules after it',
  ]);
});

test('an import lists no changes for a phase that a file of several zones keeps, or for an unchanged file', async () => {
  const several = HEAD.replace('zone: shop.example', 'zones: [shop.example, blog.example]');
  const whole = live({ ref: 'block', action: 'block' }, SKIP);
  expect((await follow(several + BLOCK, whole)).kept).toHaveLength(1);
  expect(await taken(several + BLOCK, whole)).toEqual([]);
  const { texts } = await follow(HEAD + BLOCK, whole);
  expect(await taken(texts.get(FILE) ?? '', whole)).toEqual([]);
});
