import { expect, test } from 'vitest';
import type { Rollout } from '../../src/model/index.ts';
import { brief, loadFiles, loadValid } from './project-folder.ts';

const HEAD = 'version: 1\nfiles: [zones/*.yaml]\nlint: { lint/missing-ref: off }\n';
const zone = (name: string, labels = ''): string =>
  `zone: ${name}\n${labels}entrypoints: { http_request_firewall_custom: { rules: [] } }\n`;
const ZONES = {
  'zones/a.yaml': zone('a.example', 'labels: { stage: canary }\n'),
  'zones/b.yaml': zone('b.example'),
};

/** Returns the parsed `rollout` without the places in the file. */
function placeless(rollout: Rollout | undefined): unknown {
  return JSON.parse(
    JSON.stringify(rollout ?? null, (key, value: unknown) => (key === 'where' ? undefined : value)),
  );
}

test('rollout is read with its defaults', async () => {
  const { settings } = await loadValid({
    ...ZONES,
    'zones/b.yaml': zone('b.example', 'labels: { test: mine }\n'),
    'rulewright.yaml': `${HEAD}rollout:
  waves:
    - labels: [stage=canary, test]
    - scopes: [b.example]
    - share: 12.5%
    - share: 100%
  soak: 10m
  health:
    errors: 1%
    blocked: { above_before: 0.5%, above_others: 2%, window: 2h }
    probes:
      - url: https://a.example/
      - { url: 'https://b.example/x', expect: [200, 301] }
  on_failure: rollback
`,
  });
  expect(placeless(settings.rollout)).toEqual({
    waves: [
      {
        zones: {
          kind: 'labels',
          labels: [
            { name: 'stage', text: 'canary' },
            { name: 'test', text: null },
          ],
        },
      },
      { zones: { kind: 'scopes', scopes: [{ scope: { kind: 'zone', name: 'b.example' } }] } },
      { zones: { kind: 'share', percent: 12.5 } },
      { zones: { kind: 'share', percent: 100 } },
    ],
    soak: 600,
    health: {
      errors: { max: 1, window: 600 },
      blocked: { aboveBefore: 0.5, aboveOthers: 2, window: 7200 },
      minRequests: 1000,
      delay: 300,
      probes: [
        { url: 'https://a.example/', expect: [200] },
        { url: 'https://b.example/x', expect: [200, 301] },
      ],
    },
    onFailure: 'rollback',
  });
});

test.each<[what: string, rollout: string, findings: readonly string[]]>([
  ['names need no share', '{ waves: [{ scopes: [a.example] }, { scopes: [zone:B.example] }] }', []],
  [
    'a wave chooses in one way',
    '{ waves: [{ labels: [stage], share: 100% }] }',
    ['4:39 schema/one-of `labels` and `share` of item 1 of `waves` are mutually exclusive'],
  ],
  [
    'times and shares have a form',
    '{ waves: [{ share: 10 }], soak: 10 minutes }',
    [
      '4:29 schema/wrong-type `share` has to be a string, not 10',
      '4:42 schema/wrong-form `soak` is "10 minutes", which has the wrong form',
    ],
  ],
  [
    'what they name is there once',
    '{ waves: [{ scopes: [account:Shop, c.example] }, { scopes: [a.example, A.EXAMPLE] }] }',
    [
      '4:31 rollout/account an account cannot be in a wave of zones: what it has reaches all of its zones at once',
      '4:45 rollout/unknown-zone no file declares the zone c.example',
      '4:61 rollout/zone-of-none 1 zone is in no wave, and comes last, in wave 3: b.example',
      '4:81 rollout/zone-twice the zone A.EXAMPLE is named twice',
    ],
  ],
  [
    'the last wave can be judged',
    '{ waves: [{ share: 100% }], health: { errors: { above_others: 1% }, blocked: { above_others: 1%, max: 5% } } }',
    [
      '4:22 rollout/compares-with-none health.errors only compares with zones that no wave has reached: after the last wave there is none, so nothing is known of it and apply ends with exit code 4',
    ],
  ],
  [
    'labels and shares choose zones',
    '{ waves: [{ labels: [stage=canary, stag] }, { share: 30% }, { share: 20% }, { share: 100% }] }',
    [
      '4:45 rollout/unknown-label no zone carries the label stag, so it chooses none',
      '4:72 rollout/share-order 20% has no zones that the 30% before it lack',
    ],
  ],
  [
    'a share has zones',
    '{ waves: [{ share: 0% }, { share: 100% }] }',
    ['4:22 rollout/share-order a share of 0% has no zones'],
  ],
])('waves: %s', async (_what, rollout, findings) => {
  const { diagnostics } = await loadFiles({ ...ZONES, 'rulewright.yaml': `${HEAD}rollout: ${rollout}\n` });
  expect(diagnostics.map((one) => brief(one).replace('rulewright.yaml:', ''))).toEqual(findings);
});

test('a label of a wave that no zone carries is an error, since the wave would be empty', async () => {
  const rollout = 'rollout: { waves: [{ labels: [stag] }, { share: 100% }] }\n';
  expect((await loadFiles({ ...ZONES, 'rulewright.yaml': HEAD + rollout })).kind).toBe('invalid');
});
