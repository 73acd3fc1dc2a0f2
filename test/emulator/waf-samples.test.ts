import { describe, expect, test } from 'vitest';

import { startBench } from './bench.ts';
import { corpusFiles, corpusFolder, WITHOUT_CORPUS } from './corpus-folder.ts';
import {
  CHECK,
  CONFIG,
  executeRule,
  migration,
  oldZone,
  OVERRIDES,
  PACKAGES,
  STATUS,
  zone,
} from './migration-zone.ts';

/** Keys and types of a value: what two answers must have in common. Of lists the first item counts. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.slice(0, 1).map(shapeOf);
  }
  if (typeof value !== 'object' || value === null) {
    return value === null ? 'null' : typeof value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, shapeOf(member)]),
  );
}

/** The keys of these objects are ids or words of the client, so only the types of their values count. */
const FREE = ['groups', 'rules', 'rewrite_action'];

function overrideShape(envelope: unknown): unknown {
  return JSON.parse(
    JSON.stringify(envelope, (key, value: unknown) =>
      FREE.includes(key) && typeof value === 'object' && value !== null
        ? [...new Set(Object.values(value).map((member) => typeof member))]
        : typeof value === 'object'
          ? value
          : typeof value,
    ),
  ) as unknown;
}

const start = (members = {}) =>
  startBench({ seed: oldZone({ waf: { overrides: [], ...members } }), switches: {} });
const override = {
  urls: ['foo.bar.com'],
  priority: 0,
  groups: { ea8687e59929c1fd05ba97574ad43f77: 'default' },
  rules: { '100015': 'disable' },
  rewrite_action: { default: 'simulate' },
  paused: false,
};

const samples: ReadonlyMap<string, unknown> = new Map(
  ['samples/legacy-waf', 'samples/waf-migration', 'samples/docs-responses'].flatMap((folder) =>
    corpusFiles(folder).map(([name, body]) => [`${folder.split('/')[1]}/${name}`, body] as const),
  ),
);

describe.skipIf(corpusFolder === undefined)(`sampled answers of the old WAF (${WITHOUT_CORPUS})`, () => {
  async function traditional() {
    const bench = await start();
    const [first] = await bench.ok<readonly { readonly id: string }[]>('GET', PACKAGES);
    const path = `${PACKAGES}/${first?.id}`;
    const [group] = await bench.ok<readonly { readonly id: string }[]>('GET', `${path}/groups`);
    return { bench, path, group: `${path}/groups/${group?.id}`, rule: `${path}/rules/100001` };
  }

  test.each([
    [
      'go-list-waf-packages.json',
      async () => (await traditional()).bench.call('GET', `${PACKAGES}?per_page=5`),
    ],
    ['go-waf-package.json', async () => (({ bench, path }) => bench.call('GET', path))(await traditional())],
    [
      'go-list-waf-groups.json',
      async () => (({ bench, path }) => bench.call('GET', `${path}/groups`))(await traditional()),
    ],
    ['go-waf-group.json', async () => (({ bench, group }) => bench.call('GET', group))(await traditional())],
    [
      'go-update-waf-group-2.json',
      async () => (({ bench, group }) => bench.call('PATCH', group, { mode: 'on' }))(await traditional()),
    ],
    [
      'go-list-waf-rules.json',
      async () => (({ bench, path }) => bench.call('GET', `${path}/rules`))(await traditional()),
    ],
    ['go-waf-rule.json', async () => (({ bench, rule }) => bench.call('GET', rule))(await traditional())],
    [
      'go-update-waf-rule-2.json',
      async () => (({ bench, rule }) => bench.call('PATCH', rule, { mode: 'on' }))(await traditional()),
    ],
    [
      'go-update-waf-package-2.json',
      async () => {
        const bench = await start();
        const list = await bench.ok<readonly { readonly id: string }[]>('GET', PACKAGES);
        return bench.call(
          'PATCH',
          `${PACKAGES}/${list[1]?.id}`,
          samples.get('legacy-waf/go-update-waf-package.json'),
        );
      },
    ],
  ])('legacy-waf/%s', async (name, call) => {
    const reply = await call();
    expect(reply.status).toBe(200);
    expect(shapeOf(reply.body)).toEqual(shapeOf(samples.get(`legacy-waf/${name}`)));
  });

  test.each([
    ['go-create-waf-override.json', 'POST'],
    ['go-waf-override.json', 'GET'],
    ['go-update-waf-override.json', 'PUT'],
    ['go-list-waf-overrides.json', 'LIST'],
    ['go-delete-waf-override.json', 'DELETE'],
  ])('legacy-waf/%s', async (name, verb) => {
    const bench = await start();
    const made = await bench.call<unknown>('POST', OVERRIDES, override);
    const { id } = made.body.result as { readonly id: string };
    const path = `${OVERRIDES}/${id}`;
    const reply =
      verb === 'POST'
        ? made
        : verb === 'LIST'
          ? await bench.call<unknown>('GET', OVERRIDES)
          : await bench.call<unknown>(verb, path, verb === 'PUT' ? { ...override, id } : undefined);
    expect(reply.status).toBe(200);
    expect(overrideShape(reply.body)).toEqual(overrideShape(samples.get(`legacy-waf/${name}`)));
  });
});

describe.skipIf(corpusFolder === undefined)(`sampled answers of the migration (${WITHOUT_CORPUS})`, () => {
  const created = { state: 'start', created: '2022-09-19T10:00:00Z' };
  const rules = { '100007': 'disable' };
  const coreOff = { packages: { 'OWASP ModSecurity Core Rule Set': { sensitivity: 'off' } } };

  test.each([
    ['waf-migration/check-compatible.json', CHECK, {}],
    ['docs-responses/waf--reference--migration-guides--waf-managed-rules-migration--01.json', CHECK, {}],
    [
      'waf-migration/check-not-compatible.json',
      CHECK,
      { waf: { overrides: [{ urls: ['x'], rules: { 100015: 'block' } }] } },
    ],
    ['waf-migration/config.json', CONFIG, { waf: { rules, ...coreOff } }],
    [
      'docs-responses/waf--reference--migration-guides--waf-managed-rules-migration--02.json',
      CONFIG,
      { waf: { rules, ...coreOff } },
    ],
    ['waf-migration/status-start.json', STATUS, { waf_migration: created }],
  ])('%s, to the letter', async (name, path, members) => {
    const bench = await startBench({ seed: oldZone(members) });
    const reply = await bench.call('GET', path);
    expect(reply.body).toEqual(samples.get(name));
  });

  test.each([
    ['waf-migration/status-validation.json', ['validation']],
    ['waf-migration/status-complete.json', ['validation', 'pending']],
  ])('%s, to the letter', async (name, words) => {
    const bench = await startBench({ seed: oldZone({ waf_migration: created }) });
    for (const word of words) {
      await bench.ok('PUT', migration(word), { rules: [executeRule()] });
    }
    const reply = await bench.call('GET', STATUS);
    expect(reply.body).toEqual(samples.get(name));
  });

  test('errors/waf-enrollment-required.json, to the letter', async () => {
    const sample = corpusFiles('samples/errors').find(([name]) => name === 'waf-enrollment-required.json');
    const expected = sample?.[1] as { readonly http_status: number; readonly body: unknown };
    const bench = await startBench({ seed: oldZone({ plan: 'pro' }) });
    const reply = await bench.call(
      'PUT',
      `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`,
      {
        rules: [executeRule()],
      },
    );
    expect([reply.status, reply.body]).toEqual([expected.http_status, expected.body]);
  });

  test('the two folders hold as many samples as these tests compare', () => {
    const compared = 3 + 3 + 5 + 9 + 3;
    const all = [...samples.keys()].filter((name) => /^(?:legacy-waf|waf-migration)\//u.test(name));
    expect(all).toHaveLength(compared);
  });
});
