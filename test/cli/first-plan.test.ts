import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { findingsOf } from '../../src/plan/guard/guard-scope.ts';
import { planAttention } from '../../src/report/attention.ts';
import type { Level } from '../../src/report/attention.ts';
import { rulewright } from './in-process.ts';

/** What a security engineer would say of the first plan of the example, by rule; of its other changes she would say nothing. */
const KNOWN = {
  'no-rocket-loader-in-editor': 'turns off email obfuscation',
  'strict-checkout': 'turns off email obfuscation',
  'coupon-guessing': 'counts by the cookie session, which clients can change at will',
  'payment-callbacks': 'skips the ruleset managed:cloudflare-owasp-core-ruleset',
  'Cloudflare Managed Ruleset':
    'switches off 2 of 13 managed rules and makes 5 managed_challenge instead of block',
  'old-urls': 'adds a redirect to where the list old_urls says',
};

/** What she would look at, since no plan can know it: what pages hold, what stands behind a host, and what a list holds. */
const NOT_PROVEN = ['block-admin', 'cache-catalog', 'cache-posts', 'checkout-origin'];

/** What may stand in that plan, the most severe first. */
const RANK: readonly Level[] = ['refused', 'warns', 'unproven', 'noted'];

it('the first plan of the example raises what a security engineer would raise, what is known before what is not proven', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-first-plan-'));
  try {
    await cp('examples/shop', folder, {
      recursive: true,
      filter: (path) => basename(path) !== '.rulewright',
    });
    const { stdout } = await rulewright(['plan', '--emulator', '--format', 'json'], { cwd: folder });
    const plan = JSON.parse(stdout) as Plan;
    const found = findingsOf(plan).filter(({ kind }) => kind === 'weakened');
    const known = found.filter(({ proven }) => proven === undefined);
    expect(
      Object.fromEntries(known.map(({ rule, description, reason }) => [description ?? rule ?? '', reason])),
    ).toEqual(KNOWN);
    const notProven = found.filter(({ proven }) => proven === false);
    expect(new Set(notProven.map(({ rule }) => rule))).toEqual(new Set(NOT_PROVEN));
    const levels = planAttention(plan).map(({ level }) => level);
    expect(levels).toEqual(levels.toSorted((one, other) => RANK.indexOf(one) - RANK.indexOf(other)));
    expect(levels.filter((level) => level === 'unproven')).toHaveLength(NOT_PROVEN.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
