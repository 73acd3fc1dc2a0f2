import { describe, expect, test } from 'vitest';
import { suppressionComments } from '../../../src/config/yaml/suppression-comments.ts';
import { expectFindings } from '../marked-files.ts';
import type { Case } from '../marked-files.ts';

/** A zone file with the given lines below `rules`, indented. */
function zone(...lines: readonly string[]): string {
  return `zone: shop.example\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n${lines.map((line) => `      ${line}\n`).join('')}`;
}

/** A zone file with one entry point of the given key. */
function entry(key: string, ...rules: readonly string[]): string {
  return `zone: shop.example\nentrypoints:\n  ${key}\n    rules:\n${rules.map((line) => `      ${line}\n`).join('')}`;
}

const ALL = '- {ref: all, action: block, expression: "true"}';
const LATER = '- {ref: a, action: log, expression: ssl}';
const OFF = '# rulewright-disable-next-line';
const WHY = 'kept until the move is over';

const COMMENTS: readonly Case[] = [
  ['a finding with a reason', zone(ALL, `${OFF} lint/unreachable-rule: ${WHY}`, LATER), []],
  [
    'several codes, and a comment between',
    `${zone(ALL, `▶${OFF} lint/unreachable-rule, config/undeclared-ruleset: ${WHY}`, '# the old one', '- ref: a')}        action: log\n        expression: ssl\n`,
    [['suppression/unused', 'line 8 has no `config/undeclared-ruleset`']],
  ],
  [
    'a finding inside of a folded text',
    zone(
      '- ref: a',
      '  action: log',
      `  ${OFF} expression/duplicate-item: generated`,
      '  expression: >-',
      '    ssl and',
      '    http.host in {"a" "a"}',
    ),
    [],
  ],
  [
    'a rule in braces over several lines',
    zone(
      ALL,
      `${OFF} lint/unreachable-rule, expression/duplicate-item: ${WHY}`,
      '- &a {',
      '    ref: a,',
      '    action: log,',
      '    action_parameters: {},',
      '    expression: \'http.host in {"a" "a"}\'',
      '  }',
    ),
    [],
  ],
  [
    'what stands behind a rule in braces',
    zone(
      `▶${OFF} expression/duplicate-item: ${WHY}`,
      '- { ref: a, action: log,',
      '    expression: ssl }',
      `- { ref: b, action: log, expression: 'http.host in {"a" ▶"a"}' }`,
    ),
    [
      ['suppression/unused', 'remove'],
      ['expression/duplicate-item', 'twice'],
    ],
  ],
  [
    'no reason',
    zone(ALL, `▶${OFF} lint/unreachable-rule`, `▶${LATER}`.replace('▶- {', '- {▶')),
    [
      ['suppression/malformed', 'gives no reason'],
      ['lint/unreachable-rule', 'move this rule'],
    ],
  ],
  [
    'no code',
    zone(`▶${OFF}: because`, LATER),
    [['suppression/malformed', 'write # rulewright-disable-next-line CODE']],
  ],
  [
    'a code that does not exist',
    zone(`▶${OFF} lint/unreachable-rules: ${WHY}`, LATER),
    [['suppression/unknown-code', 'did you mean `lint/unreachable-rule`?']],
  ],
  ['nothing', zone(`▶${OFF} lint/unreachable-rule: ${WHY}`, LATER), [['suppression/unused', 'remove']]],
  [
    'an error',
    zone(`▶${OFF} schema/unknown-key: ${WHY}`, '- {ref: a, action: log, expression: ssl, ▶acton: log}'),
    [
      ['suppression/of-error', 'fix what it reports'],
      ['schema/unknown-key', 'action'],
    ],
  ],
];

const NEW_ACTION = `${OFF} schema/unknown-action: the service has it since May`;
const NEW_PHASE = `${OFF} config/unknown-phase: the service has it since May`;
const NEW_FIELD = `${OFF} expression/unknown-field: the service has it since May`;

/** Names that this version does not know but the service may know. */
const NEW_NAMES: readonly Case[] = [
  [
    'a field and a function that the service has',
    zone(
      NEW_FIELD,
      '- {ref: a, action: log, expression: cf.brand_new.score lt 3}',
      `${OFF} expression/unknown-function: the service has it since May`,
      '- {ref: b, action: log, expression: brand_new(http.host) eq "a"}',
    ),
    [],
  ],
  [
    'what else is wrong beside it, and in other lines',
    zone(
      NEW_FIELD,
      '- {ref: a, action: log, expression: cf.brand_new.score lt 3 and ▶http.hots() eq "a"}',
      '- {ref: b, action: log, expression: ▶cf.brand_new.score lt 3}',
    ),
    [
      [
        'expression/unknown-function',
        '# rulewright-disable-next-line expression/unknown-function: new in the service',
      ],
      [
        'expression/unknown-field',
        '# rulewright-disable-next-line expression/unknown-field: new in the service',
      ],
    ],
  ],
  [
    'a text without quotes, which looks like one',
    zone('- {ref: a, action: log, expression: "starts_with(http.host, ▶admin)"}'),
    [['expression/unknown-field', 'a text needs quotes; ']],
  ],
  [
    'grammar and limits that the service has, but not an empty expression',
    zone(
      `${OFF} expression/syntax: the service has it since May`,
      '- {ref: a, action: log, expression: http.host like "x*"}',
      `▶${OFF} expression/blank: the service has it since May`,
      '- {ref: b, action: log, expression: "▶ "}',
    ),
    [
      ['suppression/of-error', 'fix what it reports'],
      ['expression/blank', ''],
    ],
  ],
  [
    'an expression of several lines',
    zone(
      '- ref: a',
      '  action: log',
      `  ${NEW_FIELD}`,
      '  expression: >-',
      '    ssl',
      '    and cf.brand_new.score lt 3',
      '- ref: b',
      '  action: log',
      '  expression: >-',
      '    ssl',
      '    and ▶cf.brand_new.score lt 3',
    ),
    [['expression/unknown-field', 'above the line in which the expression begins']],
  ],
  [
    'a rule of a pack',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n',
      'packs/a.yaml': `pack: a\nrules:\n  ${NEW_FIELD}\n  - {ref: a, action: log, expression: cf.brand_new.score lt 3}\n`,
      'zones/a.yaml': zone('- use: a'),
    },
    [],
  ],
  [
    'an action, with whatever it takes',
    zone(
      NEW_ACTION,
      '- {ref: a, action: reflect, expression: ssl, logging: {enabled: false}, action_parameters: {uri: {path: {expression: "new("}}}}',
      '- ref: b',
      '  expression: ssl',
      `  ${NEW_ACTION}`,
      '  action: reflect',
    ),
    [],
  ],
  [
    'an action without a comment',
    zone('- {ref: a, action: ▶reflect, expression: ssl}', '- {ref: b, action: ▶blokc, expression: ssl}'),
    [
      ['schema/unknown-action', '# rulewright-disable-next-line schema/unknown-action: new in the service'],
      ['schema/unknown-action', 'did you mean `block`?'],
    ],
  ],
  [
    'a phase, and what it may have that others have not',
    entry(
      `${NEW_PHASE}\n  http_request_reflect:`,
      '- {ref: a, action: log, expression: ssl, ratelimit: {characteristics: [cf.colo.id, ip.src], period: 60, requests_per_period: 1}}',
      '- {ref: b, action: set_config, expression: http.response.code eq 200, action_parameters: {bic: true}}',
      '- {ref: c, action: skip, expression: ssl, action_parameters: {phases: [http_ratelimit]}}',
    ),
    [],
  ],
  [
    'a phase of a custom ruleset',
    `account: a\nrulesets:\n  - name: x\n    ${NEW_PHASE}\n    phase: http_request_reflect\n    rules:\n      - {ref: a, action: rewrite, expression: ssl, action_parameters: {headers: {a: {operation: remove}}}}\n`,
    [],
  ],
  [
    'what is wrong in such a phase',
    entry(
      `${NEW_PHASE}\n  http_request_reflect:`,
      '- {ref: a, action: ▶blok, expression: ssl}',
      '- {ref: b, action: block, expression: ▶sl, ▶descripton: b}',
    ),
    [
      ['schema/unknown-action', 'did you mean `block`?'],
      ['expression/unknown-field', 'did you mean ssl?'],
      ['schema/unknown-key', 'did you mean `description`?'],
    ],
  ],
  [
    'a phase without a comment',
    entry('▶http_request_firewall_custm:', '- {ref: a, action: block, expression: ssl}'),
    [
      [
        'config/unknown-phase',
        'did you mean `http_request_firewall_custom`? if the service has it, write above its line: # rulewright-disable-next-line config/unknown-phase: new in the service',
      ],
    ],
  ],
  [
    'a phase that has no rules',
    `zone: a.example\nentrypoints:\n  ${NEW_PHASE}\n  ▶http_request_reflect: []\n`,
    [['schema/wrong-type', 'has to be a mapping']],
  ],
  [
    'a phase, where a key of one stands',
    `zone: a.example\nentrypoints:\n  ${NEW_PHASE}\n  ▶rules: []\n`,
    [['schema/unknown-key', 'indent it below one']],
  ],
  [
    'a phase that no service would have',
    entry(`${NEW_PHASE}\n  ▶HTTP:`, LATER),
    [['schema/unknown-key', 'phases of a zone are']],
  ],
  [
    'a phase of a custom ruleset that no service would have',
    `account: a\nrulesets:\n  - name: x\n    ${NEW_PHASE}\n    phase: ▶"../x"\n    rules: []\n`,
    [['schema/unknown-value', 'write one of']],
  ],
  [
    'an action that no service would have',
    zone(
      NEW_ACTION,
      '- {ref: a, action: ▶"", expression: ssl}',
      NEW_ACTION,
      '- {ref: b, action: ▶Block, expression: ssl}',
      NEW_ACTION,
      '- {ref: c, action: ▶"block ", expression: ssl}',
    ),
    [
      ['schema/unknown-value', 'write one of'],
      ['schema/unknown-value', 'did you mean `block`?'],
      ['schema/unknown-value', 'did you mean `block`?'],
    ],
  ],
  [
    'a parameter of an action that is known',
    zone(NEW_ACTION, '- {ref: a, action: block, expression: ssl, action_parameters: {▶fast: true}}'),
    [['schema/unknown-key', 'extra_parameters']],
  ],
  [
    'an action of a pack',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n',
      'packs/a.yaml': `pack: a\nrules:\n  ${NEW_ACTION}\n  - {ref: a, action: reflect, expression: ssl}\n`,
      'zones/a.yaml': zone('- use: a'),
    },
    [],
  ],
  [
    'a field that is known by now',
    zone(`▶${NEW_FIELD}`, '- {ref: a, action: log, expression: cf.waf.score lt 3}'),
    [['suppression/unused', 'remove']],
  ],
];

describe('a name that this version does not know', () => {
  test.each(NEW_NAMES)('%s', async (_, input, expected) => {
    const result = await expectFindings(input, expected);
    expect(result.kind).toBe(
      expected.some(([code]) => !code.startsWith('suppression/')) ? 'invalid' : 'loaded',
    );
  });
});

describe('suppression comments', () => {
  test.each(COMMENTS)('%s', async (_, input, expected) => {
    const { diagnostics } = await expectFindings(input, expected);
    expect(diagnostics).toHaveLength(expected.length);
  });

  test('are not read from inside a value', () => {
    const inside = `a: |\n  ${OFF} x: y\nb: "${OFF} x: y"\nc:\n  - >-\n    # text\n    ${OFF} x: y\n`;
    expect(suppressionComments('a.yaml', inside)).toEqual([]);
    const behind = `${inside}d: 1 ${OFF} x: y\n${OFF} x: y\ne: 1\n`;
    expect(suppressionComments('a.yaml', behind).map(({ lines }) => lines)).toEqual([
      { first: 10, last: 10 },
    ]);
  });
});

const PROJECT = (lint: string): string => `version: 1\nfiles: [zones/*.yaml]\nlint: {${lint}}\n`;

const SEVERITIES: readonly Case[] = [
  ['off', { 'rulewright.yaml': PROJECT('lint/unreachable-rule: off'), 'zones/a.yaml': zone(ALL, LATER) }, []],
  [
    'an unknown code',
    { 'rulewright.yaml': PROJECT('▶lint/unreachable: off'), 'zones/a.yaml': zone(LATER) },
    [['severity/unknown-code', 'did you mean `lint/unreachable-rule`?']],
  ],
  [
    'an error made less',
    { 'rulewright.yaml': PROJECT('schema/unknown-action: ▶warning'), 'zones/a.yaml': zone(LATER) },
    [['severity/fixed', 'only the severity of warnings and notes']],
  ],
  [
    'no severity',
    { 'rulewright.yaml': PROJECT('lint/unreachable-rule: ▶none'), 'zones/a.yaml': zone(LATER) },
    [['schema/unknown-value', 'off']],
  ],
];

describe('the severity of a code', () => {
  test.each(SEVERITIES)('%s', async (_, input, expected) => {
    const { diagnostics } = await expectFindings(input, expected);
    expect(diagnostics).toHaveLength(expected.length);
  });

  test('error makes a project with the warning invalid', async () => {
    const files = {
      'rulewright.yaml': PROJECT('lint/unreachable-rule: error'),
      'zones/a.yaml': zone(ALL, LATER.replace('{', '{▶')),
    };
    const result = await expectFindings(files, [['lint/unreachable-rule', 'move']]);
    expect(result.kind).toBe('invalid');
  });
});
