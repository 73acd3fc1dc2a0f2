import { describe, expect, onTestFinished, test } from 'vitest';
import { createBudget } from '../../../src/api/budget.ts';
import type { WriteClient } from '../../../src/api/client.ts';
import { decodeSetting, settingRequest } from '../../../src/api/setting-requests.ts';
import { openWriteClient } from '../../../src/api/client.ts';
import type { JsonValue } from '../../../src/data/index.ts';
import { scopeId, startEmulator } from '../../../src/emulator/index.ts';
import { readSettings } from '../../../src/live/index.ts';
import { SETTINGS, settingFacts } from '../../../src/model/index.ts';
import type { DesiredSetting, PlannedScope, Scope } from '../../../src/model/index.ts';
import { planSettings } from '../../../src/plan/index.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { CAUSE } from '../../plan/build.ts';
import type { ApplyPlanWith } from '../run-against-service.ts';
import { afterFailure, carryOutPlan, memoryJournal } from '../run-against-service.ts';

const zone = (name: string): Scope => ({
  kind: 'zone',
  id: scopeId('zone', name),
  name,
  accountId: scopeId('account', 'Example Shop'),
});
const SCOPE = zone('shop.example');

type Values = Readonly<Record<string, JsonValue>>;
type Wanted = Readonly<Record<string, Values>>;

/** The embedded service, and a client on its clock. */
async function open(faults: readonly object[] = []) {
  const clock = createFakeClock();
  const emulator = await startEmulator({ budget: 'off', clock, faults });
  const client = openWriteClient({
    baseUrl: emulator.baseUrl,
    credentials: { kind: 'token', token: emulator.token },
    budget: createBudget({ clock, limit: Infinity, limitPerSecond: Infinity }),
    clock,
  });
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  const live = async (name: string): Promise<Values> =>
    Object.fromEntries((await readSettings(client, SCOPE, [name])).get(name)?.values ?? []);
  const plan = async (wanted: Wanted, scope = SCOPE): Promise<PlannedScope> => {
    const desired = Object.entries(wanted).map(([name, fields]): DesiredSetting => ({
      name,
      fields: Object.entries(fields).map(([path, value]) => ({ path, value })),
      cause: CAUSE,
    }));
    const read = await readSettings(client, scope, Object.keys(wanted));
    const planned = planSettings({ scope, desired, live: read, users: [] });
    if (planned.kind === 'failed') {
      throw new Error(planned.error.message);
    }
    const objects = planned.settings.map(({ step }) => step);
    return {
      kind: 'planned',
      scope,
      bases: [],
      steps: [],
      findings: [],
      notes: [],
      ...(objects.length === 0 ? {} : { objects }),
    };
  };
  const apply = (
    scope: PlannedScope,
    { client: sender = client, ...options }: ApplyPlanWith & { readonly client?: WriteClient } = {},
  ) => carryOutPlan({ client: sender }, [scope], { clock, ...options });
  return { client, clock, live, plan, apply };
}

/** Another value than the default for every field that can be written. */
function otherValues(): Wanted {
  return Object.fromEntries(
    SETTINGS.flatMap(({ name, fields }) => {
      const own = Object.entries(fields).flatMap(
        ([path, { values, standard, readOnly }]): readonly (readonly [string, JsonValue])[] => {
          if (readOnly !== undefined) {
            return [];
          }
          switch (values.kind) {
            case 'flag':
              return [[path, standard !== true]];
            case 'words':
              return [[path, values.words.findLast((word) => word !== standard) ?? '']];
            case 'texts':
              return [[path, ['AES128-SHA']]];
            case 'numbers':
              return [[path, values.numbers.find((number) => number !== standard) ?? 0]];
            default:
              return [[path, values.most]];
          }
        },
      );
      return own.length === 0 ? [] : [[name, Object.fromEntries(own)]];
    }),
  );
}

test('every setting of the table is written as its row says, and then a new plan finds nothing', async () => {
  const bench = await open();
  const wanted = otherValues();
  const plan = await bench.plan(wanted);
  expect(plan.objects?.length).toBeGreaterThan(30);
  const { outcomes } = await bench.apply(plan);
  expect(outcomes.filter(({ kind }) => kind !== 'done')).toEqual([]);
  expect(await bench.plan(wanted)).not.toHaveProperty('objects');
});

test('a write keeps the fields that files do not name', async () => {
  const bench = await open();
  await bench.apply(await bench.plan({ url_normalization: { '/scope': 'both', '/type': 'rfc3986' } }));
  await bench.apply(await bench.plan({ url_normalization: { '/scope': 'none' } }));
  expect(await bench.live('url_normalization')).toEqual({ '/scope': 'none', '/type': 'rfc3986' });
  await bench.apply(await bench.plan({ security_header: { '/strict_transport_security/max_age': 60 } }));
  await bench.apply(await bench.plan({ security_header: { '/strict_transport_security/enabled': true } }));
  expect(await bench.live('security_header')).toMatchObject({
    '/strict_transport_security/enabled': true,
    '/strict_transport_security/max_age': 60,
  });
});

describe('a write without an answer is looked up', () => {
  test.each(['before', 'after'] as const)('when it was cut %s it was carried out', async (moment) => {
    const fault = { method: 'PATCH', path: '/zones/*/settings/ssl', nth: 1, effect: { kind: 'cut', moment } };
    const bench = await open([fault]);
    const { journal, entries } = memoryJournal();
    const { outcomes } = await bench.apply(await bench.plan({ ssl: { '': 'strict' } }), { journal });
    expect(outcomes).toMatchObject([{ kind: 'done', writes: 1 }]);
    expect(await bench.live('ssl')).toEqual({ '': 'strict' });
    expect(entries.map(({ kind }) => kind)).toEqual(['run', 'saved-setting', 'intent', 'landed']);
  });
});

test('a setting that weakens is not begun after a failure in its zone, and is in another zone', async () => {
  const effect = { kind: 'error', status: 400 };
  const path = `/zones/${SCOPE.id}/settings/min_tls_version`;
  const bench = await open([{ method: 'PATCH', path, nth: 1, effect }]);
  const weaker = { ssl: { '': 'off' } };
  const blog = zone('blog.example');
  const zones = [
    await bench.plan({ min_tls_version: { '': '1.3' }, ...weaker }),
    await bench.plan(weaker, blog),
  ];
  const { outcomes } = await carryOutPlan(bench, zones, { clock: bench.clock });
  expect(outcomes.map(({ step, kind }) => [step, kind])).toEqual([
    ['zone:shop.example/setting:min_tls_version', 'failed'],
    ['zone:shop.example/setting:ssl', 'not-reached'],
    ['zone:blog.example/setting:ssl', 'done'],
  ]);
});

test('a write without an answer is not sent again after an interruption', async () => {
  const effect = { kind: 'cut', moment: 'before' };
  const bench = await open([{ method: 'PATCH', path: '/zones/*/settings/ssl', nth: 1, effect }]);
  const interruption = new AbortController();
  const client = afterFailure(bench.client, async () => interruption.abort());
  const plan = await bench.plan({ ssl: { '': 'strict' } });
  const { outcomes } = await bench.apply(plan, { client, signal: interruption.signal });
  expect(outcomes).toMatchObject([{ kind: 'failed', inDoubt: true }]);
  expect(await bench.live('ssl')).not.toEqual({ '': 'strict' });
});

describe('a write of a whole setting that is sent again', () => {
  test.each([
    ['after no answer', { kind: 'cut', moment: 'before' }],
    ['after it had to wait for the limit of requests', { kind: 'limit' }],
  ])('%s keeps what somebody changed of the other fields meanwhile', async (_, effect) => {
    const bench = await open([{ method: 'PUT', path: '/zones/*/url_normalization', nth: 1, effect }]);
    const plan = await bench.plan({
      url_normalization: { '/scope': 'both' },
    });
    const client = afterFailure(bench.client, async () => {
      const path = `/zones/${SCOPE.id}/url_normalization`;
      await bench.client.send({
        method: 'PUT',
        path,
        body: { scope: 'incoming', type: 'rfc3986' },
      });
    });
    expect((await bench.apply(plan, { client })).outcomes).toMatchObject([{ kind: 'done' }]);
    expect(await bench.live('url_normalization')).toEqual({
      '/scope': 'both',
      '/type': 'rfc3986',
    });
  });
});

test('a write without an answer that cannot be looked up either is in doubt', async () => {
  const path = '/zones/*/settings/ssl';
  const bench = await open([
    { method: 'PATCH', path, effect: { kind: 'cut', moment: 'after' } },
    { method: 'GET', path, nth: [3, 4, 5, 6], effect: { kind: 'error', status: 500 } },
  ]);
  const { outcomes } = await bench.apply(await bench.plan({ ssl: { '': 'strict' } }));
  expect(outcomes).toMatchObject([{ kind: 'failed', inDoubt: true }]);
});

test.each([
  ['url_normalization', ['scope', 'type']],
  ['managed_headers', ['managed_request_headers', 'managed_response_headers']],
  ['settings/ssl', ['value']],
])('an answer of %s without %j is an error, not the defaults', async (path, members) => {
  const bench = await open([
    { method: 'GET', path: `/zones/*/${path}`, effect: { kind: 'missing', members } },
  ]);
  const name = SETTINGS.find((one) => one.path === `/${path}`)?.name ?? '';
  await expect(bench.live(name)).rejects.toMatchObject({ code: 'api/unexpected-answer' });
});

test('a write of a whole setting keeps fields that are not known here', () => {
  const facts = settingFacts('security_header');
  const header = { enabled: false, report_to: 'abc' };
  const live = decodeSetting(facts ?? fail())({ value: { strict_transport_security: header, more: 1 } });
  const fields = [{ path: '/strict_transport_security/enabled', before: false, after: true }];
  expect(settingRequest(SCOPE.id, facts ?? fail(), { fields, live }).body).toMatchObject({
    value: { strict_transport_security: { enabled: true, report_to: 'abc' }, more: 1 },
  });
});

function fail(): never {
  throw new Error('the table has no such row');
}

test('a setting that somebody has changed since the plan is left alone, and one that is as wanted is passed over', async () => {
  const bench = await open();
  const plan = await bench.plan({ always_use_https: { '': 'on' }, ssl: { '': 'strict' } });
  await bench.apply(await bench.plan({ ssl: { '': 'off' }, always_use_https: { '': 'on' } }));
  const { outcomes } = await bench.apply(plan);
  expect(outcomes).toMatchObject([
    { kind: 'skipped', reason: 'live already matches this step' },
    { kind: 'refused', code: 'apply/stale', message: expect.stringContaining('then "full", now "off"') },
  ]);
  expect(await bench.live('ssl')).toEqual({ '': 'off' });
});

test('a failed run puts settings back', async () => {
  const fault = { method: 'PUT', path: '/zones/*/page_shield', effect: { kind: 'error', status: 400 } };
  const bench = await open([fault]);
  const plan = await bench.plan({ ssl: { '': 'strict' }, page_shield: { '/enabled': true } });
  const { outcomes, rollback } = await bench.apply(plan, { onFailure: 'rollback' });
  expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'failed']);
  expect(rollback?.result).toBe('as-before');
  expect(await bench.live('ssl')).toEqual({ '': 'full' });
});
