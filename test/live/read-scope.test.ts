import { describe, expect, test } from 'vitest';
import { readScope } from '../../src/live/read-scopes.ts';
import type { DesiredScope, LiveScope } from '../../src/model/state.ts';
import { rulewrightError } from '../api/caught.ts';
import { readLive } from './read-live.ts';
import { custom, desiredScope, entrypoint, executing } from './desired.ts';
import { startEmulated } from './emulated.ts';
import { IDS, SEED, seedWith } from './seed.ts';

const WAF = 'http_request_firewall_custom';
const ZONES = '/client/v4/zones';
const LOOKUP = `GET ${ZONES}?name=a.example&per_page=50&page=1`;
const ZONE_LIST = `GET ${ZONES}/${IDS.zone}/rulesets?per_page=50`;
const ACCOUNT_LIST = `GET /client/v4/accounts/${IDS.account}/rulesets?per_page=50`;

/** Address and id of each entry, `null` for one that is proven absent. */
function found(live: LiveScope): readonly (readonly [string, string | null])[] {
  return live.entries.map(({ address, slot }) => [
    address.kind === 'custom' ? address.name : address.phase,
    slot.kind === 'present' ? slot.ruleset.id : null,
  ]);
}

/** Requests without the query that the emulator's record leaves out. */
function bare(requests: readonly string[]): readonly string[] {
  return requests.map((request) => request.replace(/\?.*$/, ''));
}

describe('reading a zone', () => {
  test('sends one look-up, and one request for each declared entry point', async () => {
    const { client, takeRequests } = await startEmulated(SEED);
    const live = await readLive(
      client,
      desiredScope('zone:a.example', [entrypoint(WAF), entrypoint('http_request_origin')]),
    );
    expect(live.scope).toEqual({
      kind: 'zone',
      id: IDS.zone,
      name: 'a.example',
      accountId: IDS.account,
      plan: 'enterprise',
    });
    expect(found(live)).toEqual([
      [WAF, IDS.entrypoint],
      ['http_request_origin', null],
    ]);
    const [entry] = live.entries;
    expect(entry?.slot.kind === 'present' ? entry.slot.ruleset : null).toMatchObject({
      version: '7',
      kind: 'zone',
      rules: [{ ref: 'one' }, { ref: 'two' }],
    });
    const requests = bare(await takeRequests());
    expect(requests.slice(0, 1)).toEqual(bare([LOOKUP]));
    expect(requests.slice(1).sort()).toEqual([
      `GET ${ZONES}/${IDS.zone}/rulesets/phases/${WAF}/entrypoint`,
      `GET ${ZONES}/${IDS.zone}/rulesets/phases/http_request_origin/entrypoint`,
    ]);
  });

  test('tells custom rulesets of the zone from those of its account by the list of the account', async () => {
    const { client, takeRequests } = await startEmulated(SEED);
    const live = await readLive(
      client,
      desiredScope('zone:a.example', [custom('Shared'), custom('Nowhere')]),
    );
    expect(found(live)).toEqual([
      ['Shared', IDS.zoneCustom],
      ['Nowhere', null],
    ]);
    expect(live.catalogue.filter(({ kind }) => kind === 'custom').map(({ id }) => id)).toEqual([
      IDS.zoneCustom,
      IDS.zoneExtra,
    ]);
    expect(live.catalogue.some(({ name }) => name === 'Cloudflare Managed Ruleset')).toBe(true);
    expect(live.catalogue.some(({ kind }) => kind === 'zone' || kind === 'root')).toBe(false);
    expect(bare(await takeRequests())).toEqual([
      ...bare([LOOKUP, ZONE_LIST, ACCOUNT_LIST]),
      `GET ${ZONES}/${IDS.zone}/rulesets/${IDS.zoneCustom}`,
    ]);
  });

  test('finds no ruleset in the zone if only its account has one of that name', async () => {
    const { client } = await startEmulated(SEED);
    const live = await readLive(client, desiredScope('zone:b.example', [custom('Shared')]));
    expect(found(live)).toEqual([['Shared', null]]);
  });

  test('reads the list of the account when a rule refers to a custom ruleset', async () => {
    const { client, takeRequests } = await startEmulated(SEED);
    const rules = [executing('custom:shared')];
    const live = await readLive(client, desiredScope('zone:a.example', [entrypoint(WAF, { rules })]));
    expect(live.catalogue.filter(({ name }) => name === 'Shared').map(({ id }) => id)).toEqual([
      IDS.zoneCustom,
    ]);
    expect(bare(await takeRequests())).toContain(bare([ACCOUNT_LIST])[0]);
  });

  test('adds undeclared custom rulesets if the files own all custom rulesets', async () => {
    const { client } = await startEmulated(SEED);
    const live = await readLive(
      client,
      desiredScope('zone:a.example', [custom('Shared')], { rulesetOwnership: 'all' }),
    );
    expect(found(live)).toEqual([
      ['Shared', IDS.zoneCustom],
      ['Extra', IDS.zoneExtra],
    ]);
  });
});

describe('reading all rulesets of a zone to show them', () => {
  const ORIGIN = 'http_request_origin';
  const everything = desiredScope('zone:a.example', [entrypoint(ORIGIN), custom('Extra')], {
    rulesetOwnership: 'everything',
  });

  test('finds its entry points and custom rulesets, but none of its account', async () => {
    const { client } = await startEmulated(SEED);
    const live = await readLive(client, everything);
    expect(found(live)).toEqual([
      [ORIGIN, null],
      ['Extra', IDS.zoneExtra],
      [WAF, IDS.entrypoint],
      ['Shared', IDS.zoneCustom],
    ]);
    expect(live.unseen).toBeUndefined();
  });

  test('reports custom rulesets that may belong to the account as unseen, and reads the rest', async () => {
    const { clientWith } = await startEmulated(SEED);
    const desired = desiredScope('zone:a.example', [], { rulesetOwnership: 'everything' });
    const live = await readLive(clientWith('zone-only'), desired);
    expect(found(live)).toEqual([[WAF, IDS.entrypoint]]);
    expect(live.unseen).toEqual(
      ['Shared', 'Extra'].map((name) => ({
        address: { kind: 'custom', phase: WAF, name },
        reason: expect.stringMatching(
          /whether it belongs to the zone or to its account.*"Account WAF" Read/u,
        ),
      })),
    );
  });

  test('reports rulesets that the token may not read as unseen, and reads the rest', async () => {
    const origin = { id: '3'.repeat(32), kind: 'zone', phase: ORIGIN, rules: [] };
    const { clientWith } = await startEmulated(seedWith(origin));
    const desired = desiredScope('zone:a.example', [custom('Extra')], { rulesetOwnership: 'everything' });
    const live = await readLive(clientWith('waf-only'), desired);
    expect(found(live).map(([name]) => name)).toEqual(['Extra', WAF, 'Shared']);
    expect(live.unseen).toEqual([
      {
        address: { kind: 'entrypoint', phase: ORIGIN },
        reason: expect.stringContaining('403'),
      },
    ]);
  });
});

describe('reading an account', () => {
  test('takes all custom rulesets in its list as its own, without a second list', async () => {
    const { client, takeRequests } = await startEmulated(SEED);
    const desired = desiredScope('account:Shop', [
      entrypoint(WAF),
      custom('Shared'),
      entrypoint('http_ratelimit'),
    ]);
    const live = await readLive(client, desired);
    expect(found(live)).toEqual([
      [WAF, IDS.accountRoot],
      ['Shared', IDS.accountCustom],
      ['http_ratelimit', null],
    ]);
    expect(await takeRequests()).toHaveLength(5);
  });
});

describe('reading rulesets that are undeclared, of unknown owner or forbidden', () => {
  test('reads undeclared rulesets that may name a custom ruleset that is to be deleted', async () => {
    const { client, takeRequests } = await startEmulated(SEED);
    const users = async (rulesets: DesiredScope['rulesets'], over = {}): Promise<readonly string[]> =>
      (await readLive(client, desiredScope('zone:a.example', rulesets, over))).users?.map(({ id }) => id) ??
      [];
    const gone = custom('Shared', WAF, { presence: 'absent' });
    expect(await users([gone])).toEqual([IDS.entrypoint, IDS.zoneExtra]);
    expect(await users([], { rulesetOwnership: 'all' })).toEqual([IDS.entrypoint]);
    expect(await users([gone, entrypoint(WAF)])).toEqual([IDS.zoneExtra]);
    await takeRequests();
    expect(await users([custom('Nowhere', WAF, { presence: 'absent' }), custom('Shared')])).toEqual([]);
    expect(bare(await takeRequests())).not.toContain(`GET ${ZONES}/${IDS.zone}/rulesets/${IDS.entrypoint}`);
  });

  test('reads a ruleset of another phase whose skip rules name a custom ruleset that is to be deleted', async () => {
    const exceptions = {
      id: IDS.accountRoot,
      kind: 'root',
      phase: 'http_request_firewall_managed',
      rules: [
        {
          action: 'skip',
          expression: '(ssl) and cf.zone.plan eq "ENT"',
          action_parameters: { rulesets: [IDS.accountCustom] },
        },
      ],
    };
    const shared = { id: IDS.accountCustom, name: 'Shared', kind: 'custom', phase: WAF, rules: [] };
    const { client } = await startEmulated({
      version: 1,
      accounts: [
        {
          name: 'Shop',
          plan: 'enterprise',
          features: ['account_rulesets'],
          rulesets: [shared, exceptions],
        },
      ],
    });
    const gone = custom('Shared', WAF, { presence: 'absent' });
    const { users } = await readLive(client, desiredScope('account:Shop', [gone]));
    expect(users?.map(({ id }) => id)).toEqual([IDS.accountRoot]);
  });

  test('fails if the owner of a declared custom ruleset is unknown', async () => {
    const { clientWith } = await startEmulated(SEED);
    const client = clientWith('zone-only');
    const error = await rulewrightError(readLive(client, desiredScope('zone:a.example', [custom('Shared')])));
    expect(error).toMatchObject({ code: 'live/unknown-owner', fault: 'user' });
    expect(error.message).toContain('zone:a.example: custom ruleset "Shared"');
    expect(error.hint).toContain('"Account Rulesets" Read or "Account WAF" Read');
  });

  test('fails if undeclared custom rulesets are to be deleted and their owner is unknown', async () => {
    const { clientWith } = await startEmulated(SEED);
    const desired = desiredScope('zone:a.example', [entrypoint(WAF)], { rulesetOwnership: 'all' });
    const reading = await readScope(clientWith('zone-only'), desired);
    expect(
      reading.kind === 'failed' ? reading.errors.map(({ code, message }) => [code, message]) : [],
    ).toEqual([
      [
        'live/unknown-owner',
        `zone:a.example: custom rulesets that no file declares are to be deleted, but the service does not say which of these belong to the zone: "Shared" (${IDS.accountCustom}), "Shared" (${IDS.zoneCustom}), "Extra" (${IDS.zoneExtra}).`,
      ],
    ]);
  });

  test('ignores undeclared custom rulesets of unknown owner if they are not to be deleted', async () => {
    const { clientWith } = await startEmulated(SEED);
    const client = clientWith('zone-only');
    const live = await readLive(client, desiredScope('zone:a.example', [entrypoint(WAF), custom('New')]));
    expect(found(live)).toEqual([
      [WAF, IDS.entrypoint],
      ['New', null],
    ]);
  });

  test('fails for each phase that may not be read, and names the missing permission', async () => {
    const { clientWith } = await startEmulated(SEED);
    const desired = desiredScope('zone:a.example', [
      entrypoint('http_request_origin'),
      entrypoint(WAF),
      entrypoint('http_request_cache_settings'),
    ]);
    const reading = await readScope(clientWith('waf-only'), desired);
    expect(reading.kind === 'failed' ? reading.errors.map(({ code, hint }) => [code, hint]) : []).toEqual([
      [
        'api/forbidden',
        'the token needs the permission "Origin" Read for this zone: phase http_request_origin asks for it',
      ],
      [
        'api/forbidden',
        'the token needs the permission "Cache Settings" Read for this zone: phase http_request_cache_settings asks for it',
      ],
    ]);
  });
});
