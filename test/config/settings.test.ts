import { expect, test } from 'vitest';
import { SETTINGS, settingFieldName } from '../../src/model/index.ts';
import type { Files } from './project-folder.ts';
import { brief, loadFiles, loadValid } from './project-folder.ts';

const DUPLICATE = 'config/duplicate-setting';
const READ_ONLY = 'config/read-only-setting';

/** A zone file with the given settings. */
function zone(settings: string, more = ''): Files {
  return { 'zones/a.yaml': `zone: shop.example\nsettings:\n${settings}${more}` };
}

async function findings(files: Files): Promise<readonly string[]> {
  const { diagnostics } = await loadFiles(files);
  return diagnostics.map((one) => `${brief(one)}; ${one.hint ?? ''}`);
}

test('settings are declared field by field, over all files of a zone', async () => {
  const { scopes } = await loadValid({
    ...zone('  url_normalization: { scope: both }\n  zone: { ssl: strict, min_tls_version: "1.2" }\n'),
    'zones/b.yaml':
      'zone: shop.example\nsettings:\n  url_normalization: { type: cloudflare }\n  zone:\n    ssl: strict\n    security_header: { strict_transport_security: { enabled: true, max_age: 31536000 } }\n',
  });
  expect(scopes.map(({ settings }) => settings?.map(({ name, fields }) => [name, fields]))).toEqual([
    [
      [
        'url_normalization',
        [
          { path: '/scope', value: 'both' },
          { path: '/type', value: 'cloudflare' },
        ],
      ],
      ['min_tls_version', [{ path: '', value: '1.2' }]],
      [
        'security_header',
        [
          { path: '/strict_transport_security/enabled', value: true },
          { path: '/strict_transport_security/max_age', value: 31_536_000 },
        ],
      ],
      ['ssl', [{ path: '', value: 'strict' }]],
    ],
  ]);
});

test('variables are filled in, and keep their types', async () => {
  const file = {
    'zones/a.yaml': `zone: shop.example
vars: { mode: strict, age: 60, on: true }
settings:
  leaked_credential_checks: { enabled: "\${on}" }
  zone:
    ssl: \${mode}
    security_header: { strict_transport_security: { max_age: "\${age}" } }
`,
  };
  const { scopes } = await loadValid(file);
  expect(scopes[0]?.settings?.flatMap(({ fields }) => fields.map(({ value }) => value))).toEqual([
    true,
    60,
    'strict',
  ]);
  const wrong = { 'zones/a.yaml': file['zones/a.yaml'].replace('mode: strict', 'mode: strictly') };
  expect(await findings(wrong)).toEqual([expect.stringContaining('a.yaml:6:10 schema/unknown-value')]);
});

test.each([
  ['a value that there is not', '  zone: { ssl: ful }\n', 'a.yaml:3:16 schema/', 'full'],
  ['a version of TLS without quotes', '  zone: { min_tls_version: 1.2 }\n', 'a.yaml:3:28 schema/', '"1.2"'],
  ['a flag where words are', '  zone: { always_use_https: true }\n', 'a.yaml:3:29 schema/', 'write `on`'],
  [
    'a number where words are',
    '  zone: { ssl: 1 }\n',
    'a.yaml:3:16 schema/',
    'write one of `off`, `flexible`',
  ],
  ['a setting that there is not', '  zone: { sll: full }\n', 'a.yaml:3:11 schema/', 'ssl'],
  [
    'a setting that nobody can write',
    '  bot_management: { using_latest_model: false }\n',
    `a.yaml:3:21 ${READ_ONLY} the setting bot_management.using_latest_model cannot be written`,
    'leave it out',
  ],
])('%s is refused at its place', async (_, settings, said, hint) => {
  const found = await findings(zone(settings));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(said);
  expect(found[0]).toContain(hint);
});

test('two files that disagree on a setting are refused', async () => {
  const other = { 'zones/b.yaml': 'zone: shop.example\nsettings:\n  zone: { ssl: full }\n' };
  expect(await findings({ ...zone('  zone: { ssl: strict }\n'), ...other })).toEqual([
    expect.stringContaining(`zones/b.yaml:3:11 ${DUPLICATE} the setting zone.ssl is declared twice`),
  ]);
});

test.each([
  ['switches off', '{ enabled: false }', ['lint/switched-off']],
  ['switches on', '{ enabled: true }', []],
])('a rule that looks at fields which a setting of its file %s', async (_, value, codes) => {
  const more = `entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: leaked, action: log, expression: cf.waf.credential_check.password_leaked }
`;
  const { diagnostics } = await loadFiles(zone(`  leaked_credential_checks: ${value}\n`, more));
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
});

test.each([
  ['url_normalization: { scope: both }', 'http_request_sanitize'],
  ['bot_management: { enable_js: true }', 'http_request_sbfm'],
])('%s beside the entry point of %s is refused', async (setting, phase) => {
  const more = `entrypoints:\n  ${phase}: { rules: [] }\n`;
  const found = await findings(zone(`  ${setting}\n`, more));
  expect(found).toEqual(expect.arrayContaining([expect.stringContaining('config/two-doors')]));
});

test.each([
  ['enabled: false', 'cf.waf.credential_check.password_leaked', ['lint/switched-off']],
  ['enabled: true', 'cf.waf.credential_check.password_leaked', []],
  ['enabled: false', 'ssl', []],
])('leaked_credential_checks with %s beside a rule on %s', async (setting, expression, codes) => {
  const rule = `entrypoints:\n  http_request_firewall_custom:\n    rules:\n      - {ref: a, action: block, expression: ${expression}}\n`;
  const { diagnostics } = await loadFiles(zone(`  leaked_credential_checks: { ${setting} }\n`, rule));
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
});

test('an account has no settings', async () => {
  const files = { 'accounts/a.yaml': 'account: Example Shop\nsettings: { zone: { ssl: full } }\n' };
  expect(await findings(files)).toEqual([expect.stringContaining('settings')]);
});

test('every setting has one name, and every field a default that its values have', () => {
  expect(new Set(SETTINGS.map(({ name }) => name)).size).toBe(SETTINGS.length);
  const odd = SETTINGS.flatMap((facts) =>
    Object.entries(facts.fields).flatMap(([path, { standard, values, strength }]) => {
      const words = values.kind === 'words' ? values.words : values.kind === 'flag' ? [true, false] : null;
      const named = [
        ...(standard === undefined ? [] : [standard]),
        ...(strength.kind === 'order' ? strength.values.flat() : []),
      ];
      return words === null || named.every((one) => words.some((word) => word === one))
        ? []
        : [settingFieldName(facts, path)];
    }),
  );
  expect(odd).toEqual([]);
});
