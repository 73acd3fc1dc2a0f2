import { describe, expect, test } from 'vitest';

import { scopeId } from '../../src/emulator/index.ts';
import { phaseNames } from '../../src/emulator/rulesets/parameters/phase-rows.ts';
import { entryPoint, startBench } from './bench.ts';

/** The permission groups that open a phase, by level, copied from api.md 11.2. */
const table: readonly (readonly [phase: string, zone: readonly string[], account: readonly string[]])[] = [
  ['http_request_firewall_custom', ['Zone WAF'], ['Account WAF', 'Account Rulesets']],
  ['http_ratelimit', ['Zone WAF'], ['Account WAF', 'Account Rulesets']],
  ['http_request_firewall_managed', ['Zone WAF'], ['Account WAF', 'Account Rulesets']],
  ['http_response_firewall_managed', ['Zone WAF'], ['Account WAF']],
  ['http_request_transform', ['Zone Transform Rules'], ['Transform Rules']],
  ['http_request_late_transform', ['Zone Transform Rules'], ['Transform Rules']],
  ['http_response_headers_transform', ['Zone Transform Rules'], ['Transform Rules']],
  ['http_request_dynamic_redirect', ['Dynamic URL Redirects'], []],
  ['http_request_redirect', [], ['Mass URL Redirects']],
  ['http_config_settings', ['Config Settings'], []],
  ['http_request_origin', ['Origin'], []],
  ['http_request_cache_settings', ['Cache Settings'], []],
  ['http_response_cache_settings', ['Cache Settings'], []],
  ['http_response_compression', ['Response Compression'], []],
  ['http_custom_errors', ['Custom Errors'], ['Custom Error Rules']],
  ['ddos_l7', ['HTTP DDoS Managed Ruleset'], ['Account Rulesets']],
  ['ddos_l4', [], ['L4 DDoS Managed Ruleset']],
  ['magic_transit', [], ['Magic Firewall']],
  ['magic_transit_managed', [], ['Magic Firewall']],
  ['magic_transit_ratelimit', [], ['Magic Firewall']],
  ['magic_transit_ids_managed', [], ['Magic Firewall']],
  ['http_request_sanitize', ['Sanitize'], []],
  ['http_request_sbfm', ['Bot Management'], []],
  ['http_log_custom_fields', ['Logs'], []],
];

const allGroups = [...new Set(table.flatMap(([, zone, account]) => [...zone, ...account]))];

interface Case {
  readonly phase: string;
  readonly level: 'zone' | 'account';
  readonly groups: readonly string[];
}

const cases: readonly Case[] = table.flatMap(([phase, zone, account]) => [
  ...(zone.length === 0 ? [] : [{ phase, level: 'zone', groups: zone } as const]),
  ...(account.length === 0 ? [] : [{ phase, level: 'account', groups: account } as const]),
]);

const scopes = {
  zone: `/zones/${scopeId('zone', 'a.example')}`,
  account: `/accounts/${scopeId('account', 'A')}`,
};

/** Whether a token of these permissions may read and write an entry point. */
async function permitted({ phase, level }: Case, permissions: readonly string[]) {
  const bench = await startBench({
    seed: {
      version: 1,
      accounts: [
        { name: 'A', plan: 'enterprise', features: ['account_rulesets', 'magic_transit', 'network_ddos'] },
      ],
      zones: [{ name: 'a.example', plan: 'enterprise' }],
      tokens: { token: [{ permissions, resources: ['*'] }] },
    },
  });
  const headers = { authorization: 'Bearer token' };
  const path = entryPoint(scopes[level], phase);
  const read = await bench.call('GET', path, undefined, headers);
  const write = await bench.call('PUT', path, { rules: [] }, headers);
  return [read.status !== 403, write.status !== 403];
}

describe('a phase opens with its permission group and no other (api.md 11.2)', () => {
  test('the table has every phase', () => {
    expect(table.map(([phase]) => phase).sort()).toEqual([...phaseNames].sort());
  });

  test.each(cases)('$phase in a $level: $groups', async (entry) => {
    const others = allGroups.filter((group) => !entry.groups.includes(group));
    for (const group of entry.groups) {
      expect([group, ...(await permitted(entry, [`${group} Write`]))]).toEqual([group, true, true]);
      expect([group, ...(await permitted(entry, [`${group} Read`]))]).toEqual([group, true, false]);
    }
    const foreign = others.flatMap((group) => [`${group} Read`, `${group} Write`]);
    expect(await permitted(entry, foreign)).toEqual([false, false]);
    expect(await permitted(entry, ['Firewall Services Write', 'Zone Read'])).toEqual([false, false]);
  });
});
