import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { scopeId } from '../../src/emulator/index.ts';
import { plannedScopes } from '../../src/model/index.ts';
import { openImportBench } from './import-bench.ts';
import type { ImportBench } from './import-bench.ts';

// Lists and settings of files that declare their scope already follow what is live.

const SEED = {
  version: 1,
  accounts: [
    {
      name: 'Shop',
      plan: 'enterprise',
      features: ['account_rulesets'],
      lists: [
        {
          name: 'office',
          kind: 'ip',
          description: 'Offices',
          items: [{ ip: '203.0.113.0/24', comment: 'HQ' }, { ip: '192.0.2.9' }],
        },
        {
          name: 'moved',
          kind: 'redirect',
          items: [
            {
              redirect: {
                source_url: 'a.example/a',
                target_url: 'https://a.example/b',
              },
            },
            {
              redirect: {
                source_url: 'a.example/c',
                target_url: 'https://a.example/d',
                status_code: 308,
              },
            },
          ],
        },
        {
          name: 'plain',
          kind: 'ip',
          items: [{ ip: '192.0.2.1' }, { ip: '192.0.2.3' }],
        },
        { name: 'partners', kind: 'asn', items: [{ asn: 64496 }] },
        { name: 'forgotten', kind: 'asn', items: [{ asn: 64496 }] },
        {
          name: 'undeclared',
          kind: 'hostname',
          items: [{ hostname: { url_hostname: 'a.example' } }],
        },
      ],
    },
  ],
  zones: [{ name: 'a.example', account: 'Shop', plan: 'enterprise' }],
} as const;

const FILES = {
  'rulewright.yaml': 'version: 1\nfiles: [accounts/*.yaml, zones/*.yaml]\n',
  'accounts/shop.yaml': `account: Shop
lists:
  # where we work
  - name: office
    kind: ip
    description: Office
    items: [203.0.113.0/24, 198.51.100.7]
  - { name: moved, kind: redirect, items_from: lists/moved.csv }
  - { name: plain, kind: ip, items_from: lists/plain.txt }
  - { name: partners, kind: asn, items: external }
  - { name: forgotten, kind: asn, absent: true }
  - name: never_applied
    kind: ip
    items: [192.0.2.7]
`,
  'lists/moved.csv':
    '# old addresses\nsource_url,target_url\na.example/a,https://a.example/b\na.example/x,https://a.example/y\n',
  'lists/plain.txt': '# plain\n192.0.2.1 # one\n192.0.2.2\n',
  'zones/a.yaml': `zone: a.example
settings:
  zone: { ssl: strict, min_tls_version: '1.0' } # never less
`,
};

/** The ids of the lists and settings that a plan of the files would write. */
async function objectsLeft(): Promise<readonly string[]> {
  const { scopes } = await bench.plan();
  return plannedScopes(scopes).flatMap(({ objects = [] }) => objects.map(({ id }) => id));
}

let bench: ImportBench;
beforeAll(async () => {
  bench = await openImportBench({ seed: SEED });
});
afterAll(() => bench.close());

beforeEach(async () => {
  await bench.reset();
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(bench.folder, path)), { recursive: true });
    writeFileSync(join(bench.folder, path), text);
  }
});

test('lists and settings follow live, and nothing else in the files changes', async () => {
  const { scopes } = await bench.import({ discard: true });
  const [account, zone] = scopes;
  expect(bench.files()).toEqual({
    ...FILES,
    'accounts/shop.yaml': `account: Shop
lists:
  # where we work
  - name: office
    kind: ip
    description: Offices
    items:
      - ip: 203.0.113.0/24
        comment: HQ
      - 192.0.2.9
  - { name: moved, kind: redirect, items_from: lists/moved.csv }
  - { name: plain, kind: ip, items_from: lists/plain.txt }
  - { name: partners, kind: asn, items: external }
  - { name: forgotten, kind: asn, absent: true }
`,
    'lists/moved.csv':
      '# old addresses\nsource_url,target_url,status_code\na.example/a,https://a.example/b,301\na.example/c,https://a.example/d,308\n',
    'lists/plain.txt': '# plain\n192.0.2.1 # one\n192.0.2.3\n',
    'zones/a.yaml': FILES['zones/a.yaml'].replace('ssl: strict', 'ssl: full'),
  });
  expect(account).toMatchObject({
    kind: 'changed',
    kept: ['list forgotten: the files say that it is deleted, but it is live'],
    removed: ['list never_applied (accounts/shop.yaml:12) is not live'],
    unmanagedObjects: ['list undeclared'],
  });
  expect(zone).toMatchObject({
    kind: 'changed',
    changes: [{ step: 'zone:a.example/setting:ssl', severity: 'weakening' }],
  });
  expect(await objectsLeft()).toEqual(['account:Shop/list:forgotten']);
  const before = bench.files();
  await bench.import({ discard: true });
  expect(bench.files()).toEqual(before);
});

test('what no file declares is added on request', async () => {
  const { scopes } = await bench.import({
    discard: true,
    unmanaged: true,
    withSettings: true,
  });
  expect(scopes).toMatchObject([
    { lists: 6, unmanagedObjects: [] },
    { settings: expect.any(Number), unmanagedObjects: [] },
  ]);
  expect(bench.files()['accounts/shop.yaml']).toContain(
    '  - name: undeclared\n    kind: hostname\n    items: [a.example]\n',
  );
  expect(await objectsLeft()).toEqual(['account:Shop/list:forgotten']);
});

test('items, lists and settings that Git does not have are not lost', async () => {
  const git = (...words: readonly string[]): void => {
    execFileSync('git', [
      '-C',
      bench.folder,
      '-c',
      'user.name=T',
      '-c',
      'user.email=t@example.test',
      ...words,
    ]);
  };
  git('init', '-q');
  const refused = await bench.import({ discard: false });
  expect(refused.scopes).toMatchObject([
    {
      kind: 'failed',
      message: expect.stringMatching(/items of list office.*items of lists\/moved\.csv/u),
    },
    {
      kind: 'failed',
      message: expect.stringContaining('setting zone.ssl (zones/a.yaml:3)'),
    },
  ]);
  expect(bench.files()).toMatchObject(FILES);
  git('add', '-A');
  expect((await bench.import({ discard: false })).scopes).toMatchObject([
    { kind: 'changed' },
    { kind: 'changed' },
  ]);
});

test('a setting that a file declares for several zones stays, and is told', async () => {
  writeFileSync(
    join(bench.folder, 'zones/a.yaml'),
    'zones: [a.example, b.example]\nsettings: { zone: { ssl: strict } }\n',
  );
  const { scopes } = await bench.import({
    zones: ['a.example'],
    discard: true,
  });
  expect(scopes).toMatchObject([{ kind: 'differs', kept: [expect.stringContaining('change it there')] }]);
});

test('settings of a zone that only a file of several zones declares go to a file of its own', async () => {
  const shared = "zones: [a.example, b.example]\nsettings: { zone: { min_tls_version: '1.0' } }\n";
  writeFileSync(join(bench.folder, 'zones/a.yaml'), shared);
  await bench.ok('PATCH', `/zones/${scopeId('zone', 'a.example')}/settings/ssl`, { value: 'strict' });
  const { scopes } = await bench.import({
    zones: ['a.example'],
    unmanaged: true,
    withSettings: true,
  });
  expect(scopes).toMatchObject([{ kind: 'changed', unmanagedObjects: [] }]);
  expect(bench.files()['zones/a.yaml']).toBe(shared);
  expect(bench.files()['zones/a.example.yaml']).toMatch(/^zone: a\.example\nsettings:\n[^]*ssl: strict\n/mu);
  writeFileSync(join(bench.folder, 'zones/a.yaml'), shared.replace(', b.example', ''));
  expect(await objectsLeft()).not.toContainEqual(expect.stringContaining('ssl'));
});

test('a variable stays in a setting while its value is live, and is told when it goes', async () => {
  writeFileSync(
    join(bench.folder, 'zones/a.yaml'),
    `zone: a.example
vars: { mode: full, version: '1.3' }
settings:
  zone:
    ssl: \${mode}
    min_tls_version: \${version}
entrypoints:
  http_request_firewall_custom: { rules: [{ ref: a, expression: 'http.host eq \${version}', action: log }] }
`,
  );
  const { scopes } = await bench.import({ zones: ['a.example'], discard: true });
  expect(bench.files()['zones/a.yaml']).toContain('    ssl: ${mode}\n    min_tls_version: "1.0"\n');
  expect(scopes).toMatchObject([
    {
      dropped: ['setting zone.min_tls_version (zones/a.yaml:6) no longer has ${version}'],
    },
  ]);
});

test('lists that may not be read are never taken for lists that are gone', async () => {
  const fault = {
    path: '/accounts/*/rules/lists',
    effect: { kind: 'error', status: 403 },
  };
  await fetch(`${bench.emulator.controlUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  const { scopes } = await bench.import({ accounts: ['Shop'], discard: true });
  expect(scopes).toMatchObject([{ kind: 'failed' }]);
  expect(bench.files()).toMatchObject(FILES);
});
