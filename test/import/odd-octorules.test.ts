import { describe, expect, test } from 'vitest';
import { parseOctorulesYaml, sourceText } from '../../src/config/index.ts';
import { isJsonObject } from '../../src/data/index.ts';
import type { JsonObject } from '../../src/data/index.ts';
import { readOctorulesConfig, readOctorulesFile } from '../../src/import/index.ts';

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

function valueOf(text: string): JsonObject {
  const parsed = parseOctorulesYaml(sourceText('rules/a.yaml', text));
  const value = parsed.document?.value;
  expect(parsed.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return isJsonObject(value) ? value : {};
}

/** What a file says, and what of it is named as left. */
function read(text: string, kind: 'zone' | 'account' = 'zone') {
  const { left, ...found } = readOctorulesFile(valueOf(text), {
    path: 'a.yaml',
    scope: { kind, id: 'a' },
    target: kind === 'zone' ? 'cloudflare' : null,
    comments: new Map(),
  });
  return { ...found, left: left.map(({ address, why }) => `${address.instance}: ${why}`) };
}

const rule = (more: string) =>
  `cloudflare:\n  waf_custom_rules:\n    - { ref: a, expression: 'true', action: block, ${more} }\n`;

describe('nothing of a file of octorules is lost without a word', () => {
  test.each([
    ['cloudflare: { custom_rulesets: { a: { name: x } } }', 'custom_rulesets: it is no list'],
    ['cloudflare: { lists: { office: { kind: ip } } }', 'lists: it is no list'],
    ['cloudflare: { lists: [{ name: a, kind: ip, items: { ip: 192.0.2.1 } }] }', 'its items are no list'],
    ['cloudflare: { lists: [{ name: a, kind: ip, items: }] }', 'its items are no list'],
    [rule('enabled: "false"'), 'rule 1 has an `enabled` that octorules cannot send'],
    [rule('description: 2024'), 'rule 1 has a `description` that octorules cannot send'],
    [rule('octorules: { included: cloudflare }'), 'rule 1 has `included` or `excluded` that is no list'],
    [rule('octorules: { excluded: { a: b } }'), 'rule 1 has `included` or `excluded` that is no list'],
  ])('%s', (text, why) => {
    const { left, lists, rulesets } = read(text, text.includes('lists') ? 'account' : 'zone');
    expect(left).toEqual([expect.stringContaining(why)]);
    expect([...lists, ...rulesets]).toEqual([]);
  });

  test('as settings that no file here can say', () => {
    expect(
      read(
        `cloudflare:\n  zone_tls: { odd: ${TOKEN}, ssl: perfect }\n  bot_management: { odd: ${TOKEN} }\n  managed_transforms: { other: { a: true }, request: [a] }\n  leaked_credential_check: { detections: { a: 1 } }\n`,
      ).left,
    ).toEqual([
      'a.yaml: zone_tls: no file can say odd <looks like a secret>, zone.ssl "perfect"',
      'a.yaml: bot_management: no file can say bot_management.odd <looks like a secret>',
      'a.yaml: managed_transforms: no file can say other, request',
      'a.yaml: leaked_credential_check: no file can say detections',
    ]);
  });
});

// octorules 0.37.0 does, with its reader of YAML: "could not determine a constructor for the tag 'tag:yaml.org,2002:merge'".
test('a merge key is refused, as octorules refuses it', () => {
  const text = 'cloudflare:\n  waf_custom_rules:\n    - &a { ref: a }\n    - { <<: *a, ref: b }\n';
  expect(parseOctorulesYaml(sourceText('rules/a.yaml', text))).toMatchObject({
    diagnostics: [{ code: 'yaml/merge-key', severity: 'error' }],
  });
});

test('of two zones that octorules writes to one, the second is named as left', () => {
  const zone = { sources: ['rules'], targets: ['cloudflare'], zone_names: { cloudflare: 'shop.example' } };
  expect(
    readOctorulesConfig({ providers: { cloudflare: {} }, zones: { shop: zone, other: zone } }),
  ).toMatchObject({
    zones: [{ name: 'shop', resource: 'shop.example' }],
    left: [{ zone: 'other', why: 'octorules writes it to shop.example, as it does shop' }],
  });
});
