import { describe, expect, test } from 'vitest';
import type { ScopeReading } from '../../src/live/read-scopes.ts';
import { readScopes } from '../../src/live/read-scopes.ts';
import { RulewrightError } from '../../src/model/error.ts';
import { scopeLabel } from '../../src/model/scope.ts';
import type { DesiredScope } from '../../src/model/state.ts';
import { custom, desiredScope, entrypoint } from './desired.ts';
import type { Emulated } from './emulated.ts';
import { startEmulated } from './emulated.ts';
import { IDS, SEED } from './seed.ts';

const WAF = 'http_request_firewall_custom';

async function readAll(
  { client }: Pick<Emulated, 'client'>,
  desired: readonly DesiredScope[],
  concurrency = 8,
): Promise<readonly ScopeReading[]> {
  const readings: ScopeReading[] = [];
  for await (const reading of readScopes(desired, { clientFor: () => client, concurrency })) {
    readings.push(reading);
  }
  return readings;
}

function summary(readings: readonly ScopeReading[]): readonly string[] {
  return readings
    .map((reading) => {
      const label = scopeLabel(reading.desired.scope);
      return `${label} ${reading.kind === 'read' ? reading.live.scope.id : reading.errors.map(({ code }) => code).join()}`;
    })
    .sort();
}

describe('many scopes', () => {
  test('are all read, even if one of them fails', async () => {
    const emulated = await startEmulated(SEED);
    const desired = ['zone:a.example', 'zone:nowhere.example', 'zone:b.example', 'account:Shop'].map(
      (label) => desiredScope(label, [entrypoint(WAF)]),
    );
    expect(summary(await readAll(emulated, desired))).toEqual([
      `account:Shop ${IDS.account}`,
      `zone:a.example ${IDS.zone}`,
      `zone:b.example ${IDS.other}`,
      'zone:nowhere.example api/unknown-scope',
    ]);
    expect(summary(await readAll(emulated, desired, 1))).toHaveLength(4);
  });

  test('that are named by id are told apart by their accounts if the service gives them one name', async () => {
    const accounts = ['a', 'b'].map((account) => account.repeat(32));
    const emulated = await startEmulated({
      version: 1,
      token: 'all-permissions',
      accounts: accounts.map((one) => ({ id: one, name: one, plan: 'enterprise' })),
      zones: accounts.map((account, index) => ({
        id: `${index + 1}`.repeat(32),
        name: 'twice.example',
        account,
        plan: 'enterprise',
      })),
    });
    const names = async (...labels: readonly string[]) =>
      (
        await readAll(
          emulated,
          labels.map((label) => desiredScope(label, [entrypoint(WAF)])),
        )
      )
        .map((reading) => (reading.kind === 'read' ? reading.live.scope.name : 'failed'))
        .sort();
    const both = ['1', '2'].map((zone) => `zone:${zone.repeat(32)}`);
    const withAccounts = accounts.map((account) => `twice.example@${account}`);
    expect(await names(...both)).toEqual(withAccounts);
    expect(await names(...both.slice(0, 1))).toEqual(['twice.example']);
    expect(await names(`zone:${withAccounts[0]}`, ...both.slice(1))).toEqual(withAccounts);
  });

  test('share the list of their account', async () => {
    const emulated = await startEmulated(SEED);
    await readAll(
      emulated,
      ['zone:a.example', 'zone:b.example'].map((label) => desiredScope(label, [custom('Shared')])),
    );
    const requests = await emulated.takeRequests();
    const lists = requests.filter((request) => request.includes(`/accounts/${IDS.account}/rulesets`));
    expect(lists).toHaveLength(1);
  });

  test('are looked up together when that takes fewer requests', async () => {
    const zones = Array.from({ length: 60 }, (_, index) => ({ name: `z${index}.example`, account: 'Shop' }));
    const emulated = await startEmulated({ version: 1, accounts: [{ name: 'Shop' }], zones });
    const desired = zones.map(({ name }) => desiredScope(`zone:${name}`, [entrypoint(WAF)]));
    const readings = await readAll(emulated, desired);
    expect(readings.filter(({ kind }) => kind === 'read')).toHaveLength(60);
    const requests = await emulated.takeRequests();
    expect(requests.filter((request) => !request.includes('rulesets'))).toHaveLength(2);
    expect(requests).toHaveLength(2 + 60);
  });

  test('are both refused if they turn out to be the same zone', async () => {
    const emulated = await startEmulated(SEED);
    const readings = await readAll(emulated, [
      desiredScope('zone:a.example', [entrypoint(WAF)]),
      desiredScope(`zone:${IDS.zone}`, [entrypoint('http_ratelimit')]),
      desiredScope('zone:b.example', [entrypoint(WAF)]),
    ]);
    expect(summary(readings)).toEqual([
      `zone:${IDS.zone} live/scope-declared-twice`,
      'zone:a.example live/scope-declared-twice',
      `zone:b.example ${IDS.other}`,
    ]);
    const [first] = readings.flatMap((reading) => (reading.kind === 'failed' ? reading.errors : []));
    expect(first?.message).toMatch(
      /^zone:a\.example \(\S+:\d+\) and zone:[0-9a-f]{32} \(\S+:\d+\) are the same zone, /u,
    );
  });

  test('fail alone if no client can be made for them', async () => {
    const emulated = await startEmulated(SEED);
    const readings: ScopeReading[] = [];
    const desired = [
      desiredScope('zone:a.example', []),
      desiredScope('zone:b.example', [], { tokenEnv: 'NO_SUCH' }),
    ];
    const clientFor = ({ tokenEnv }: DesiredScope) => {
      if (tokenEnv !== undefined) {
        throw new RulewrightError(`${tokenEnv} is not set`, { code: 'app/no-credentials', fault: 'user' });
      }
      return emulated.client;
    };
    for await (const reading of readScopes(desired, { clientFor })) {
      readings.push(reading);
    }
    expect(summary(readings)).toEqual([`zone:a.example ${IDS.zone}`, 'zone:b.example app/no-credentials']);
  });

  test('all fail with the same error about the token, after a single request', async () => {
    const emulated = await startEmulated(SEED);
    const desired = Array.from({ length: 20 }, (_, index) => desiredScope(`zone:z${index}.example`));
    const readings = await readAll({ client: emulated.clientWith('no-such-token') }, desired);
    expect(new Set(summary(readings).map((line) => line.split(' ')[1])).size).toBe(1);
    expect(readings.every(({ kind }) => kind === 'failed')).toBe(true);
    expect(await emulated.takeRequests()).toHaveLength(1);
  });
});
