import { describe, expect, test } from 'vitest';
import { loadFiles, brief } from './project-folder.ts';
import type { Files } from './project-folder.ts';
import type { LoadOptions } from '../../src/config/load-project.ts';

const HEAD = 'version: 1\nfiles: [zones/*.yaml]\nlint: {lint/missing-ref: off}\n';
const PACKS = 'packs: [packs/*.yaml]\n';
const PLANS = 'plans: { "label:tier=small": free, "label:team=shops": business }\n';

const LEVEL = 'config/plan-level';
const LIMIT = 'config/plan-limit';

const zone = (head: string, rules: readonly string[]): string =>
  `${head}\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n${rules.map((rule) => `      - ${rule}\n`).join('')}`;

const LOG = "{ expression: 'ssl', action: log }";
const SCORE = "{ expression: 'ssl or cf.bot_management.score lt 30', action: block }";
const BLOCK = "{ expression: 'ip.src eq 192.0.2.1', action: block }";
const SIX = Array.from({ length: 6 }, (_, index) => BLOCK.replace('2.1', `2.${index + 1}`));

const NO_LOG = 'the Free plan does not include the action log, which needs the Enterprise plan';

async function findings(files: Files, options: Partial<LoadOptions> = {}): Promise<readonly string[]> {
  const { diagnostics } = await loadFiles(files, options);
  return diagnostics.map(brief);
}

describe('what the plan of a zone does not include', () => {
  test.each<[string, Files, readonly string[], Partial<LoadOptions>?]>([
    [
      'is found at the value, with the plan that includes it',
      { 'zones/a.yaml': zone('zone: a.example\nplan: free', [LOG, SCORE]) },
      [
        `zones/a.yaml:6:38 ${LEVEL} ${NO_LOG}`,
        `zones/a.yaml:7:31 ${LEVEL} the Free plan does not include cf.bot_management.score, which needs the Enterprise plan with an add-on`,
      ],
    ],
    [
      'goes by the label of the zone',
      {
        'rulewright.yaml': HEAD + PACKS + PLANS,
        'packs/p.yaml': `pack: p\nrules: [${LOG}]\n`,
        'zones/a.yaml': zone('zone: a.example\nlabels: { tier: small }', ['use: p']),
        'zones/b.yaml': zone('zone: b.example\nlabels: { team: shops }\nplan: enterprise', ['use: p']),
        'zones/c.yaml': zone('zone: c.example', ['use: p']),
      },
      [`packs/p.yaml:2:38 ${LEVEL} ${NO_LOG}`],
    ],
    [
      'goes by each zone of a list',
      {
        'zones/a.yaml': zone(
          'zones:\n  - { name: a.example, plan: enterprise }\n  - { name: b.example, plan: free }\n  - c.example\n  - { name: d.example, plan: free }',
          [LOG],
        ),
      },
      [`zones/a.yaml:9:38 ${LEVEL} ${NO_LOG}`],
    ],
    [
      'goes by the command line, whatever the files say',
      { 'zones/a.yaml': zone('zone: a.example\nplan: enterprise', [LOG]) },
      [`zones/a.yaml:6:38 ${LEVEL} ${NO_LOG}`],
      { plan: 'free' },
    ],
    [
      'is a setting, or one value of it',
      {
        'zones/a.yaml':
          'zone: a.example\nplan: pro\nvars: { mode: origin_pull }\nsettings:\n  bot_management: { sbfm_likely_automated: block, sbfm_verified_bots: allow }\n  zone: { ssl: "${mode}", security_level: high }\n',
      },
      [
        `zones/a.yaml:5:21 ${LEVEL} the Pro plan does not include bot_management.sbfm_likely_automated "block", which needs the Business plan`,
        `zones/a.yaml:6:11 ${LEVEL} the Pro plan does not include zone.ssl "origin_pull", which needs the Enterprise plan`,
      ],
    ],
    [
      'is a number of rules',
      { 'zones/a.yaml': zone('zone: a.example\nplan: free', SIX) },
      [`zones/a.yaml:4:3 ${LIMIT} the Free plan allows 5 WAF custom rules; this zone would have 6`],
    ],
    [
      'is found with the errors of other files',
      {
        'zones/a.yaml': zone('zone: a.example\nplan: free', [LOG]),
        'zones/b.yaml': zone('zone: b.example', [BLOCK.replace('block', 'blok')]),
      },
      [
        `zones/a.yaml:6:38 ${LEVEL} ${NO_LOG}`,
        expect.stringContaining('zones/b.yaml:5:54 schema/unknown-action'),
      ],
    ],
    [
      'is not reported where the project switches it off',
      {
        'rulewright.yaml': HEAD.replace('off}', 'off, config/plan-level: off}'),
        'zones/a.yaml': zone('zone: a.example\nplan: free', [LOG]),
      },
      [],
    ],
    [
      'is not reported with the free managed ruleset, by id or by name',
      {
        'zones/a.yaml':
          'zone: a.example\nplan: free\nentrypoints:\n  http_request_firewall_managed:\n    rules:\n' +
          '      - { expression: "true", action: execute, action_parameters: { id: "managed:cloudflare-managed-free-ruleset" } }\n' +
          '      - { expression: "true", action: execute, action_parameters: { id: "managed:cloudflare-managed-ruleset" } }\n',
      },
      [
        `zones/a.yaml:7:73 ${LEVEL} the Free plan does not include a managed ruleset other than the free one, which needs the Pro plan`,
      ],
    ],
  ])('%s', async (_name, files, expected, options) => {
    expect(await findings(files, options)).toEqual(expected);
  });
});

describe('what files say of a plan', () => {
  test.each<[string, Files, readonly string[]]>([
    [
      'two labels with different levels',
      {
        'rulewright.yaml': HEAD + PACKS + PLANS,
        'packs/p.yaml': `pack: p\nrules: [${BLOCK}]\n`,
        'zones/a.yaml': zone('zone: a.example\nlabels: { tier: small, team: shops }', ['use: p']),
      },
      ['zones/a.yaml:1:7 config/scope-setting-conflict the zone has two plan levels, Free and Business'],
    ],
    [
      'two files with different levels',
      {
        'zones/a.yaml': zone('zone: a.example\nplan: free', [BLOCK]),
        'zones/b.yaml': 'zone: a.example\nplan: pro\n',
      },
      ['zones/b.yaml:2:7 config/scope-setting-conflict the zone has two plan levels, Free and Pro'],
    ],
    [
      'a file of the zone without its level',
      { 'zones/a.yaml': zone('zone: a.example', [LOG]), 'zones/b.yaml': 'zone: a.example\nplan: free\n' },
      [
        `zones/a.yaml:1:7 ${LEVEL} the rules here are not judged by the Free plan, which another file gives to the zone`,
      ],
    ],
    [
      'a label that no zone carries',
      {
        'rulewright.yaml': HEAD + PLANS,
        'zones/a.yaml': zone('zone: a.example\nlabels: { tier: small }', [BLOCK]),
      },
      [`rulewright.yaml:4:36 ${LEVEL} no zone carries the label team=shops, so this gives no plan to any`],
    ],
    [
      'a level that does not exist',
      { 'zones/a.yaml': zone('zone: a.example\nplan: gold', [BLOCK]) },
      [expect.stringContaining('zones/a.yaml:2:7 schema/')],
    ],
  ])('%s', async (_name, files, expected) => {
    expect(await findings(files)).toEqual(expected);
  });
});
