import { describe, expect, test } from 'vitest';
import { brief, loadFiles } from '../project-folder.ts';
import type { Files } from '../project-folder.ts';

const LISTS = `account: Shop
lists:
  - { name: office, kind: ip, items: [203.0.113.0/24, '2001:db8::/32'] }
  - { name: partners, kind: ip, items: external }
`;
const CUSTOM = 'http_request_firewall_custom';
const LIMIT = 'ratelimit: { characteristics: [ip.src, cf.colo.id], period: 60, requests_per_period: 9 }';

function zone(name: string, phases: Readonly<Record<string, readonly string[]>>): string {
  const entries = Object.entries(phases).map(
    ([phase, rules]) => `  ${phase}:\n    rules:\n${rules.map((rule) => `      - { ${rule} }\n`).join('')}`,
  );
  return `zone: ${name}.example\nentrypoints:\n${entries.join('')}`;
}

const block = (ref: string, expression: string): string =>
  `ref: ${ref}, action: block, expression: '${expression}'`;
const skip = (ref: string, expression: string): string =>
  `ref: ${ref}, action: skip, expression: '${expression}', action_parameters: { phases: [http_ratelimit] }`;
const except = (ref: string, expression: string): string =>
  `ref: ${ref}, action: skip, expression: '${expression}', action_parameters: { ruleset: current }`;
const limit = (ref: string, expression: string): string => `${block(ref, expression)}, ${LIMIT}`;

async function across(files: Files, isAsked = true): Promise<readonly string[]> {
  const { diagnostics } = await loadFiles(files, { across: isAsked });
  return diagnostics.map((one) => brief(one)).filter((text) => text.includes('across/'));
}

const BLOCKED = block('bad', 'ip.src in {203.0.113.7 198.51.100.0/24}');

describe('rules of all zones side by side', () => {
  test.each<readonly [string, Files, readonly string[]]>([
    [
      'an address that one zone blocks and another lets past, by a list and by itself',
      {
        'accounts/a.yaml': LISTS,
        'zones/a.yaml': zone('a', {
          [CUSTOM]: [skip('friends', 'ip.src in $office or ssl'), skip('office', 'ip.src in $office')],
        }),
        'zones/b.yaml': zone('b', { [CUSTOM]: [BLOCKED] }),
        'zones/c.yaml': zone('c', { [CUSTOM]: [block('v6', 'ip.src eq 2001:db8::1')] }),
      },
      [
        'accounts/a.yaml:4:13 across/unused-list no rule of these files names the list partners',
        'zones/a.yaml:6:11 across/address-conflict 203.0.113.7 may skip rules here, and is blocked by bad in zone:b.example/http_request_firewall_custom, and by 1 more rule',
      ],
    ],
    [
      'nothing where the rules are about more than addresses, are off, or their addresses differ',
      {
        'zones/a.yaml': zone('a', {
          [CUSTOM]: [skip('a', 'ip.src eq 203.0.113.7'), skip('b', 'ip.src eq 192.0.2.1')],
        }),
        'zones/b.yaml': zone('b', {
          [CUSTOM]: [
            block('path', 'ip.src eq 203.0.113.7 and http.request.uri.path eq "/"'),
            block('not', 'not ip.src in {203.0.113.7}'),
            `${block('off', 'ip.src eq 203.0.113.7')}, enabled: false`,
            block('near', 'ip.src in {203.0.113.8..203.0.113.9}'),
          ],
        }),
      },
      [],
    ],
    [
      'an exception from a block only where it does not come before that block',
      {
        'zones/a.yaml': zone('a', {
          [CUSTOM]: [
            except('first', 'ip.src eq 203.0.113.7'),
            BLOCKED,
            except('last', 'ip.src eq 203.0.113.7'),
          ],
          http_ratelimit: [limit('slow', 'ip.src in {203.0.113.0/24}')],
        }),
        'zones/b.yaml': zone('b', { [CUSTOM]: [skip('limits', 'ip.src eq 198.51.100.9'), BLOCKED] }),
      },
      [
        'zones/a.yaml:5:11 across/address-conflict 203.0.113.7 may skip rules here, and is blocked by bad in zone:b.example',
        'zones/a.yaml:7:11 across/address-conflict 203.0.113.7 may skip rules here, and is blocked by bad in zone:a.example',
        'zones/b.yaml:5:11 across/address-conflict 198.51.100.9 may skip rules here, and is blocked by bad in zone:a.example',
      ],
    ],
    [
      'nothing of a usual exception, or of a limit on what others let past',
      {
        'zones/a.yaml': zone('a', {
          [CUSTOM]: [except('first', 'ip.src eq 203.0.113.7'), block('net', 'ip.src in {203.0.113.0/24}')],
        }),
        'zones/b.yaml': zone('b', { http_ratelimit: [limit('slow', 'ip.src in {203.0.113.0/24}')] }),
      },
      [],
    ],
    [
      'a rule for addresses that an earlier phase blocks',
      {
        'zones/a.yaml': zone('a', {
          [CUSTOM]: [BLOCKED],
          http_ratelimit: [
            limit('in', 'ip.src in {198.51.100.8/29} and ssl'),
            limit('half', 'ip.src in {198.51.100.8/29 192.0.2.1}'),
          ],
        }),
        'zones/b.yaml': zone('b', {
          [CUSTOM]: [block('halves', 'ip.src in {192.0.2.128/25 192.0.2.0/25}')],
          http_ratelimit: [limit('whole', 'ip.src in {192.0.2.0/24}')],
        }),
      },
      [
        'zones/a.yaml:8:11 across/blocked-before all addresses of this rule are blocked before, by bad in zone:a.example',
        'zones/b.yaml:8:11 across/blocked-before all addresses of this rule are blocked before, by halves in zone:b.example',
      ],
    ],
    [
      'nothing of what comes before, is in another zone, or may be skipped',
      {
        'zones/a.yaml': zone('a', {
          [CUSTOM]: [BLOCKED],
          http_request_dynamic_redirect: [
            `ref: r, action: redirect, expression: 'ip.src eq 203.0.113.7', action_parameters: { from_value: { target_url: { value: 'https://a.example/' } } }`,
          ],
        }),
        'zones/b.yaml': zone('b', { http_ratelimit: [limit('c', 'ip.src eq 203.0.113.7')] }),
        'zones/c.yaml': zone('c', {
          [CUSTOM]: [skip('some', 'http.request.uri.path eq "/x"'), BLOCKED],
          http_ratelimit: [limit('d', 'ip.src eq 203.0.113.7')],
        }),
      },
      [],
    ],
    [
      "the edge's own addresses, and lists that nobody names",
      {
        'accounts/a.yaml': `${LISTS}  - { name: edges, kind: ip, items: [104.17.0.1] }\n`,
        'zones/a.yaml': zone('a', {
          [CUSTOM]: [
            block('edge', 'ip.src in {104.16.0.0/14 172.64.1.1 192.0.2.1}'),
            block('p', 'ip.src in $partners'),
            block('l', 'ip.src in $edges'),
          ],
        }),
      },
      [
        'accounts/a.yaml:3:13 across/unused-list no rule of these files names the list office',
        "zones/a.yaml:5:11 across/edge-address 104.16.0.0/14 and 1 more range are the edge's own",
        "zones/a.yaml:7:11 across/edge-address 104.17.0.1 of $edges is the edge's own",
      ],
    ],
  ])('tell of %s', async (_, files, expected) => {
    const found = await across(files);
    expect(found.map((one, index) => one.slice(0, expected[index]?.length))).toEqual(expected);
    expect(await across(files, false)).toEqual([]);
  });

  test('tell once of a pack, and nothing while a file has an error', async () => {
    const pack = `pack: base\nrules:\n  - { ${skip('friends', 'ip.src eq 203.0.113.7')} }\n`;
    const use = (name: string): string => zone(name, { [CUSTOM]: ['use: base'] });
    const files = {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n',
      'packs/base.yaml': pack,
      'zones/a.yaml': use('a'),
      'zones/b.yaml': use('b'),
      'zones/c.yaml': zone('c', { [CUSTOM]: [BLOCKED] }),
    };
    expect(await across(files)).toEqual([
      expect.stringMatching(/^packs\/base.yaml:3:\d+ across\/address-conflict/u),
    ]);
    expect(await across({ ...files, 'zones/d.yaml': 'zone: d.example\nentrypoint: {}\n' })).toEqual([]);
  });
});
