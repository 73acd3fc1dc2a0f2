import { describe, expect, test } from 'vitest';
import { dropEnded, sourceText } from '../../src/config/index.ts';
import { brief, loadFiles, loadValid } from './project-folder.ts';

const PROJECT = (more = '') =>
  `version: 1\nfiles: ["{accounts,zones}/*.yaml"]\npacks: ["packs/*.yaml"]\nlint: {lint/missing-ref: off, pack/unused: off}\n${more}`;
const BERLIN = 'time_zone: Europe/Berlin\n';
const RULE = (active: string, more = '') =>
  `{ref: a, expression: ssl, action: block, active: ${active}${more}}`;
const ZONE = (rule: string, phase = 'http_request_firewall_custom') =>
  `zone: a\nentrypoints:\n  ${phase}:\n    rules:\n      - ${rule}\n`;
const PACK = 'pack: nothing\nrules: []\n';

const files = (zone: string, project = '') => ({
  'rulewright.yaml': PROJECT(project),
  'packs/a.yaml': PACK,
  'zones/a.yaml': zone,
});

async function composed(zone: string, project = BERLIN): Promise<readonly string[]> {
  const { scopes } = await loadValid(files(zone, project));
  return scopes.flatMap(({ rulesets }) =>
    rulesets.flatMap(({ rules }) => rules.map(({ content }) => content.expression)),
  );
}

async function found(zone: string, project = BERLIN, today?: string): Promise<readonly string[]> {
  return (await loadFiles(files(zone, project), { today })).diagnostics.map((one) => brief(one));
}

const GE = (text: string) => `http.request.timestamp.sec ge ${Date.parse(text) / 1000}`;
const LT = (text: string) => `http.request.timestamp.sec lt ${Date.parse(text) / 1000}`;

describe('`active`', () => {
  test.each([
    ['{from: 2026-12-01T08:00Z}', `(ssl) and ${GE('2026-12-01T08:00:00Z')}`],
    ['{from: "2026-12-01T08:00:10-05:30"}', `(ssl) and ${GE('2026-12-01T08:00:10-05:30')}`],
    ['{from: 2026-12-01T08:00}', `(ssl) and ${GE('2026-12-01T07:00:00Z')}`],
    ['{until: 2026-12-24}', `(ssl) and ${LT('2026-12-24T23:00:00Z')}`],
    [
      '{from: 2026-07-01, until: 2026-07-01}',
      `(ssl) and ${GE('2026-06-30T22:00Z')} and ${LT('2026-07-01T22:00Z')}`,
    ],
  ])('%s becomes a part of the expression', async (active, expected) => {
    expect(await composed(ZONE(RULE(active)))).toEqual([expected]);
  });

  test('of a phase, of a rule and of a pack with parameters hold together', async () => {
    const zone = `zone: a\nentrypoints:\n  http_request_firewall_custom:\n    active: {until: 2026-12-31T00:00Z}\n    rules:
      - {ref: a, expression: ssl, action: block, active: {from: 2026-12-01T00:00Z, until: 2027-01-01T00:00Z}}
      - {ref: b, expression: ssl, action: log}
      - {use: sale, with: {end: "2026-12-24T00:00Z"}}\n`;
    const pack = `pack: sale\nparams: {end: {type: string}}\nrules:\n  - {ref: c, expression: ssl, action: log, active: {until: "\${end}"}}\n`;
    const { scopes } = await loadValid({ ...files(zone), 'packs/a.yaml': pack });
    expect(scopes[0]?.rulesets[0]?.rules.map(({ content }) => content.expression)).toEqual([
      `(ssl) and ${GE('2026-12-01T00:00Z')} and ${LT('2026-12-31T00:00Z')}`,
      `(ssl) and ${LT('2026-12-31T00:00Z')}`,
      `(ssl) and ${LT('2026-12-24T00:00Z')}`,
    ]);
  });

  test('of a use, of packs in packs, of a file and of one of its zones hold together', async () => {
    const pack = (name: string, rules: string) => `pack: ${name}\nrules: ${rules}\n`;
    const zone = `zones: [{name: a, active: {from: 2026-12-05T00:00Z}}, b]
active: {from: 2026-12-01T00:00Z}
vars: {end: "2026-12-24T00:00Z"}
entrypoints:
  http_request_firewall_custom:
    active: {until: "\${end}"}
    rules:
      - {use: outer, active: {until: 2026-12-20T00:00Z}}
      - {use: inner, prefix: x-}
      - {use: inner, prefix: y-, active: {until: "\${end}", from: 2026-12-02T00:00Z}}\n`;
    const { scopes } = await loadValid({
      ...files(zone),
      'packs/a.yaml': pack('outer', '[{use: inner, active: {from: 2026-12-03T00:00Z}}]'),
      'packs/b.yaml': pack('inner', '[{ref: c, expression: ssl, action: log}]'),
    });
    const windows = scopes.map(({ rulesets }) => rulesets[0]?.rules.map(({ content }) => content.expression));
    const range = (from: string, until: string) =>
      `(ssl) and ${GE(`2026-12-${from}T00:00Z`)} and ${LT(`2026-12-${until}T00:00Z`)}`;
    expect(windows).toEqual([
      [range('05', '20'), range('05', '24'), range('05', '24')],
      [range('03', '20'), range('01', '24'), range('02', '24')],
    ]);
  });

  test('that leaves no second with another one is an error with both places', async () => {
    const zone = `zone: a
active: {until: 2026-12-01T00:00Z}
entrypoints:
  http_request_firewall_custom:
    rules:
      - {ref: a, expression: ssl, action: block}
      - {use: sale, active: {from: 2026-12-24T00:00Z}}\n`;
    const pack = `pack: sale\nrules:\n  - {ref: c, expression: ssl, action: log}\n  - {ref: d, expression: ssl, action: log}\n`;
    const { diagnostics } = await loadFiles({ ...files(zone), 'packs/a.yaml': pack });
    expect(diagnostics.map((one) => [brief(one), one.hint])).toEqual([
      [
        'zones/a.yaml:7:36 active/never the rule is never active: its window ends at 2026-12-01 00:00, and begins at 2026-12-24 00:00 (UTC)',
        'let `from` be before `until`; the end is set at zones/a.yaml:2:17',
      ],
    ]);
  });

  test('of a use is checked as that of a rule, also behind variables', async () => {
    const use = (active: string) => ZONE(`{use: nothing, active: ${active}}`);
    const code = { form: 'schema/wrong-form', empty: 'schema/out-of-bounds', key: 'schema/unknown-key' };
    const pack = { 'packs/a.yaml': 'pack: nothing\nrules: [{ref: a, expression: ssl, action: log}]\n' };
    const told = async (zone: string) =>
      (await loadFiles({ ...files(zone, BERLIN), ...pack })).diagnostics.map((one) => brief(one));
    expect(await told(use('{until: tomorrow}'))).toEqual([expect.stringContaining(`5:40 ${code.form}`)]);
    expect(await told(use('{}'))).toEqual([expect.stringContaining(code.empty)]);
    expect(await told(use('{til: 2026-12-01}'))).toEqual([expect.stringContaining(code.key)]);
    expect(await told(use('{until: 2026-10-25T02:30}'))).toEqual([
      expect.stringContaining('5:40 active/no-such-time'),
    ]);
    expect(await told(`${use('{until: "${end}"}')}vars: {end: soon}\n`)).toEqual([
      expect.stringContaining(`5:40 ${code.form}`),
    ]);
  });

  test('keeps the end of a rule that is limited to Enterprise zones, and sends neither `active` nor `owner`', async () => {
    const { scopes } = await loadValid({
      'rulewright.yaml': PROJECT(),
      'packs/a.yaml': PACK,
      'accounts/a.yaml': `account: A\nentrypoints:\n  http_request_firewall_managed:\n    rules:
      - {ref: a, expression: (ssl) and cf.zone.plan eq "ENT", action: execute, action_parameters: {id: efb7b8c949ac4650a09736fc376e9aee}, active: {until: 2026-12-31T00:00Z}, owner: edge}\n`,
    });
    expect(scopes[0]?.rulesets[0]?.rules[0]?.content).toEqual({
      action: 'execute',
      expression: `((ssl) and ${LT('2026-12-31T00:00Z')}) and cf.zone.plan eq "ENT"`,
      description: '',
      enabled: true,
      action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
    });
  });

  test.each<readonly [active: string, column: number, code: string, message: string]>([
    [
      '{from: 2026-03-29T02:30}',
      65,
      'active/no-such-time',
      '2026-03-29T02:30 does not exist in Europe/Berlin',
    ],
    ['{until: 2026-10-25T02:30}', 66, 'active/no-such-time', '2026-10-25T02:30 comes twice in Europe/Berlin'],
    ['{until: 2026-02-30}', 66, 'config/no-such-day', '2026-02-30 is not a day of the calendar'],
    [
      '{from: 2026-12-24, until: 2026-12-23}',
      84,
      'active/never',
      'the rule is never active: its window ends at 2026-12-24 00:00',
    ],
    ['{from: tomorrow}', 65, 'schema/wrong-form', ''],
    ['{}', 50, 'schema/out-of-bounds', ''],
  ])('%s is an error', async (active, column, code, message) => {
    expect(await found(ZONE(RULE(active)))).toEqual([
      expect.stringContaining(`zones/a.yaml:5:${column} ${code} ${message}`),
    ]);
  });

  test('is an error where a rule cannot be limited, or the expression grows too long', async () => {
    const long = `http.host eq "${'a'.repeat(4050)}"`;
    const until = 'active: {until: 2026-12-31}';
    const ddos = `{ref: a, expression: "true", action: execute, action_parameters: {id: 4d21379b4f9f4bb088e0729962c8b3cf}, ${until}}`;
    const log = `{ref: a, expression: "true", action: log_custom_field, action_parameters: {request_fields: [{name: x-a}]}, ${until}}`;
    const code: string = 'active/unlimited-phase';
    const tooLong: string = 'active/too-long';
    expect(await found(ZONE(ddos, 'ddos_l7'))).toEqual([
      expect.stringContaining(`${code} rules of phase ddos_l7 cannot have a window`),
    ]);
    expect(await found(ZONE(log, 'http_log_custom_fields'))).toEqual([expect.stringContaining(code)]);
    expect(await found(ZONE(`{ref: a, action: block, ${until}, expression: '${long}'}`))).toEqual([
      expect.stringContaining(`${tooLong} with its window`),
    ]);
  });

  test('names a time zone that exists', async () => {
    const code: string = 'active/time-zone';
    expect(await found(ZONE(RULE('{until: 2026-12-31}')), 'time_zone: Europe/Berln\n')).toEqual([
      `rulewright.yaml:5:12 ${code} there is no time zone \`Europe/Berln\``,
    ]);
  });

  test('makes a rule behind it reachable', async () => {
    const zone = (active: string) =>
      `${ZONE(RULE(active))}      - {ref: b, expression: ssl and http.host eq "a", action: log}\n`;
    expect(await found(zone('{until: 2099-12-31}'))).toEqual([]);
  });
});

describe('the end of a rule', () => {
  const zone = ZONE(RULE('{until: 2026-12-24}', ', owner: team-edge'));

  test('is told from fourteen days before, or as many as the project says', async () => {
    const code = { soon: 'active/ends-soon', over: 'active/ended' } as const;
    expect(await found(zone, BERLIN, '2026-12-09')).toEqual([]);
    expect(await found(zone, BERLIN, '2026-12-10')).toEqual([
      `zones/a.yaml:5:10 ${code.soon} the rule \`a\` ends in 14 days, at 2026-12-25 00:00 Europe/Berlin; it belongs to team-edge`,
    ]);
    expect(await found(zone, BERLIN, '2026-12-24')).toEqual([
      `zones/a.yaml:5:10 ${code.soon} the rule \`a\` ends today, at 2026-12-25 00:00 Europe/Berlin; it belongs to team-edge`,
    ]);
    expect(await found(zone, BERLIN, '2026-12-25')).toEqual([
      `zones/a.yaml:5:10 ${code.over} the rule \`a\` ended at 2026-12-25 00:00 Europe/Berlin; it belongs to team-edge`,
    ]);
    expect(await found(zone, `${BERLIN}safety: {ends_within: 3}\n`, '2026-12-20')).toEqual([]);
    expect(await found(zone)).toEqual([]);
  });

  test('that only one of several zones sets is told with that zone, and where it is set', async () => {
    const zones = `zones:\n  - {name: b, active: {until: 2026-12-10}}\n  - c\n`;
    const { diagnostics } = await loadFiles(
      files(zone.replace(/, active: \{[^}]*\}/u, '').replace('zone: a\n', zones), BERLIN),
      { today: '2026-12-24' },
    );
    expect(diagnostics.map((one) => [brief(one), one.hint])).toEqual([
      [
        'zones/a.yaml:7:10 active/ended the rule `a` of b ended at 2026-12-11 00:00 Europe/Berlin; it belongs to team-edge',
        'the end of b is set at zones/a.yaml:2:31: give it a later `until` there; `rulewright fmt --drop-ended` removes the rule when it has ended in every zone of the file',
      ],
    ]);
  });

  test('can be required, by action and by pattern', async () => {
    const required = 'safety: {require_until: [block, tmp-*]}\n';
    const code: string = 'active/no-end';
    const rules = (ref: string, action: string) => ZONE(`{ref: ${ref}, expression: ssl, action: ${action}}`);
    expect(await found(zone, required)).toEqual([]);
    expect(await found(rules('a', 'log'), required)).toEqual([]);
    expect(await found(rules('a', 'block'), required)).toEqual([
      `zones/a.yaml:5:10 ${code} \`require_until\` of the project asks for an end of every rule with the action \`block\``,
    ]);
    expect(await found(rules('tmp-a', 'log'), required)).toEqual([expect.stringContaining(` ${code} `)]);
    const hints = async (text: string) =>
      (await loadFiles(files(text, required))).diagnostics.flatMap((one) =>
        one.code === code ? one.hint : [],
      );
    const byHand = '{ref: a, expression: ssl and http.request.timestamp.sec lt 1798135200, action: block}';
    expect(await hints(ZONE(byHand))).toEqual([
      'write its end as `active: { until: ... }` instead of in the expression',
    ]);
    expect(await hints(ZONE('{ref: tmp-a, expression: "true", action: execute}', 'ddos_l7'))).toEqual([
      'rules of phase ddos_l7 cannot have a window: give it another name, or let `require_until` not match it',
    ]);
  });
});

test('what ended in all zones of a file is dropped, uses of packs too', () => {
  const text = `zones:
  - { name: a, active: { until: 2026-12-02 } }
  - b
entrypoints:
  http_request_firewall_custom:
    rules:
      # Over in one zone.
      - { ref: x, expression: ssl, action: block }
      # Over.
      - { use: sale, active: { until: 2026-12-01 } }
`;
  const today = '2026-12-24';
  expect(dropEnded(sourceText('zones/a.yaml', text), { timeZone: 'UTC', today })).toEqual({
    text: text.slice(0, text.indexOf('      # Over.')),
    ended: [{ name: 'sale', line: 10 }],
  });
});

describe('an effect that outlasts the rule', () => {
  const redirect = (status: number) =>
    `{ref: a, expression: ssl, action: redirect, action_parameters: {from_value: {target_url: {value: https://a/b}, status_code: ${status}}}, active: {until: 2099-12-31}}`;
  const cache = (seconds: number) =>
    `{ref: a, expression: ssl, action: set_cache_settings, action_parameters: {cache: true, edge_ttl: {mode: override_origin, default: ${seconds}}}, active: {until: 2099-12-31}}`;
  const hsts = `{ref: a, expression: ssl, action: rewrite, action_parameters: {headers: {Strict-Transport-Security: {operation: set, value: max-age=31536000}}}, active: {until: 2099-12-31}}`;
  const limit = (more: string) =>
    `{ref: a, expression: ssl, action: block, ratelimit: {characteristics: [cf.colo.id, ip.src], period: 60, requests_per_period: 1000, ${more}}, active: {until: 2099-12-31}}`;
  const statusTtl = cache(60).replace(
    'default: 60',
    'default: 60, status_code_ttl: [{status_code: 404, value: 864000}]',
  );
  const cacheControl = hsts
    .replace('Strict-Transport-Security', 'cache-control')
    .replace('max-age=31536000', '"public, max-age=604800"');
  const directive = `{ref: a, expression: ssl, action: set_cache_control, action_parameters: {max-age: {operation: set, value: 86400}}, active: {until: 2099-12-31}}`;

  test.each([
    ['http_request_dynamic_redirect', redirect(301), 'permanent redirect (301)'],
    ['http_request_dynamic_redirect', redirect(302), undefined],
    ['http_request_cache_settings', cache(172_800), 'the edge keeps what it gets under this rule for 2 days'],
    ['http_request_cache_settings', cache(60), undefined],
    ['http_response_headers_transform', hsts, 'browsers insist on HTTPS for 365 days'],
    ['http_request_cache_settings', statusTtl, 'the edge keeps what it gets under this rule for 10 days'],
    [
      'http_response_headers_transform',
      cacheControl,
      'browsers keep what they get under this rule for 7 days',
    ],
    ['http_response_cache_settings', directive, 'browsers keep what they get under this rule for 1 day'],
    [
      'http_ratelimit',
      limit('counting_expression: ssl'),
      '`counting_expression` has no window: it goes on counting after the rule has ended',
    ],
    [
      'http_ratelimit',
      limit('counting_expression: ssl').replace('until: 2099', 'from: 2099'),
      '`counting_expression` has no window: it counts before the rule begins',
    ],
    ['http_ratelimit', limit('mitigation_timeout: 86400').replace('until: 2099', 'from: 2099'), undefined],
    [
      'http_ratelimit',
      limit('mitigation_timeout: 86400'),
      'whom the rule has begun to stop, it stops for 1 day, also after it has ended',
    ],
    ['http_ratelimit', limit('mitigation_timeout: 600'), undefined],
  ])('%s %s', async (phase, rule, message) => {
    const code: string = 'active/outlasts';
    const all = (await found(ZONE(rule, phase), '')).filter((one) => one.includes(code));
    expect(all.map((one) => (message === undefined || !one.includes(message) ? one : message))).toEqual(
      message === undefined ? [] : [message],
    );
  });
});
