import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/data/index.ts';
import type { DesiredSetting, LiveSetting, Scope } from '../../../src/model/index.ts';
import { DEFAULT_SAFETY } from '../../../src/model/index.ts';
import { guardObjects, planSettings } from '../../../src/plan/index.ts';
import { CAUSE } from '../build.ts';

const SCOPE: Scope = { kind: 'zone', id: 'a'.repeat(32), name: 'shop.example', accountId: 'b'.repeat(32) };

type Values = Readonly<Record<string, JsonValue>>;

function desired(name: string, fields: Values): DesiredSetting {
  return { name, fields: Object.entries(fields).map(([path, value]) => ({ path, value })), cause: CAUSE };
}

/** Plans one setting of a zone from what is live to what files say. */
function planned(
  name: string,
  {
    from,
    to,
    ...more
  }: { readonly from: Values; readonly to: Values } & Partial<LiveSetting> & {
      readonly plan?: string;
      readonly rules?: Readonly<Record<string, string>>;
    },
) {
  const live = { name, values: new Map(Object.entries(from)), whole: {}, editable: true, ...more };
  return planSettings({
    scope: { ...SCOPE, ...(more.plan === undefined ? {} : { plan: more.plan }) },
    desired: [desired(name, to)],
    live: new Map([[name, live]]),
    users: Object.entries(more.rules ?? {}).map(([rule, text]) => ({
      name: rule,
      expressions: [{ text, role: 'filter' }],
    })),
  });
}

describe('what a change of a value does to protection', () => {
  test.each([
    [
      'ssl',
      '',
      'full',
      'flexible',
      'weakening',
      'less encryption of connections to the origin (zone.ssl full → flexible)',
    ],
    ['ssl', '', 'flexible', 'strict', 'strengthening', 'more encryption'],
    [
      'security_level',
      '',
      'high',
      'essentially_off',
      'weakening',
      'zone.security_level high → essentially_off',
    ],
    ['security_level', '', 'medium', 'under_attack', 'strengthening', 'more challenging'],
    ['min_tls_version', '', '1.2', '1.0', 'weakening', 'zone.min_tls_version 1.2 → 1.0'],
    ['challenge_ttl', '', 1800, 86_400, 'weakening', 'less challenging'],
    [
      'security_header',
      '/strict_transport_security/max_age',
      0,
      31_536_000,
      'strengthening',
      'max_age 0 → 31536000',
    ],
    ['bot_management', '/optimize_wordpress', true, false, 'strengthening', 'more protection against bots'],
    ['url_normalization', '/scope', 'incoming', 'none', 'weakening', 'spellings of a path'],
    ['0rtt', '', 'off', 'on', 'weakening', 'less protection from repeated requests'],
    ['http3', '', 'off', 'on', 'neutral', ''],
    // What the values do cannot be told, so it is not called harmless.
    ['ciphers', '', [], ['AES128-SHA'], 'weakening', 'perhaps less encryption'],
    ['tls_1_3', '', 'on', 'zrt', 'weakening', 'perhaps less encryption'],
  ] as const)('%s%s %j → %j is %s', (name, path, before, after, kind, reason) => {
    const plan = planned(name, { from: { [path]: before }, to: { [path]: after } });
    const [one] = plan.kind === 'planned' ? plan.settings : [];
    expect(one?.step.protection.kind).toBe(kind);
    expect(JSON.stringify(one?.step.protection)).toContain(reason);
    expect(one?.findings.map((found) => found.kind)).toEqual(kind === 'weakening' ? ['weakened'] : []);
    expect(one?.step.turn).toBe(kind === 'weakening' ? 'last' : 'first');
  });

  test('the rules that depend on what is switched off are named, and no others', () => {
    const plan = planned('leaked_credential_checks', {
      from: { '/enabled': true },
      to: { '/enabled': false },
      rules: {
        leaked: 'cf.waf.credential_check.password_leaked',
        other: 'cf.waf.credential_checked eq "no"',
        text: 'http.host eq "cf.waf.credential_check"',
      },
    });
    expect(JSON.stringify(plan)).toContain('and 1 rule depends on it (leaked)');
  });
});

test.each([
  ['what the service holds already', 'ssl', { '': 'full' }, { '': 'full' }],
  ['a default that the service does not show', 'bot_management', {}, { '/sbfm_verified_bots': 'allow' }],
  ['a level that the service chooses itself', 'security_level', { '': 'medium' }, { '': 'high' }],
])('%s is no difference', (_, name, from, to) => {
  expect(planned(name, { from, to })).toEqual({ kind: 'planned', settings: [] });
});

test('only fields that files name are compared and written', () => {
  const plan = planned('bot_management', {
    from: { '/enable_js': false, '/fight_mode': true },
    to: { '/enable_js': true },
  });
  expect(plan).toMatchObject({
    settings: [{ step: { fields: [{ path: '/enable_js', before: false, after: true }] } }],
  });
});

test('a setting that the service does not let be changed is an error of the plan, where it differs', () => {
  const polish = { name: 'true_client_ip_header', editable: false };
  expect(planned(polish.name, { from: { '': 'off' }, to: { '': 'off' }, ...polish })).toMatchObject({
    settings: [],
  });
  expect(planned(polish.name, { from: { '': 'off' }, to: { '': 'on' }, ...polish })).toMatchObject({
    kind: 'failed',
    error: {
      code: 'plan/setting-read-only',
      message: expect.stringMatching(/^.*:\d+:\d+: .*zone\.true_client_ip_header/u),
    },
  });
});

test.each([
  [
    'bot_management',
    { '/sbfm_likely_automated': 'block' },
    'pro',
    ['needs the Business plan, and the zone has Pro'],
  ],
  ['bot_management', { '/sbfm_likely_automated': 'block' }, 'business', []],
  ['bot_management', { '/sbfm_likely_automated': 'block' }, undefined, []],
  ['ssl', { '': 'origin_pull' }, 'business', ['needs the Enterprise plan']],
  ['ssl', { '': 'strict' }, 'free', []],
] as const)('%s %j on the plan %s', (name, to, level, said) => {
  const plan = planned(name, { from: {}, to, ...(level === undefined ? {} : { plan: level }) });
  const found = plan.kind === 'planned' ? plan.settings.flatMap(({ findings }) => findings) : [];
  expect(found.filter(({ kind }) => kind === 'quota').map(({ message }) => message)).toEqual(
    said.map((text) => expect.stringContaining(text)),
  );
});

test.each(['ssl', 'zone.ssl', 'zone.*'])('a setting is protected by its name, as %s', (pattern) => {
  const found = planned('ssl', { from: { '': 'full' }, to: { '': 'strict' } });
  const objects = found.kind === 'planned' ? found.settings : [];
  const plan = { kind: 'planned', scope: SCOPE, bases: [], steps: [], findings: [], notes: [] } as const;
  const safety = { ...DEFAULT_SAFETY, protect: [pattern] };
  const { findings } = guardObjects(plan, { objects }, { safety, today: '2026-06-01' });
  expect(findings.map(({ kind }) => kind)).toEqual(['protected']);
});
