import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../src/api/budget.ts';
import type { ReadClient, WriteClient } from '../../src/api/client.ts';
import { openReadClient, openWriteClient } from '../../src/api/client.ts';
import { resolveScope } from '../../src/api/resolve-scope.ts';
import { getEntrypoint } from '../../src/api/rulesets.ts';
import { readFirewallZone } from '../../src/legacy/firewall/firewall-zone.ts';
import type { JournalEntry } from '../../src/apply/journal/journal-entry.ts';
import { retireObjects } from '../../src/legacy/retire-objects.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { planFirewallRetirement } from '../../src/legacy/firewall/firewall-retirement.ts';
import { convertedRef } from '../../src/legacy/firewall/firewall-convert-rule.ts';
import { RulewrightError } from '../../src/model/error.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { RetirementPlan } from '../../src/legacy/retirement-plan.ts';
import { createFakeClock } from '../fake-clock.ts';
import { id } from './firewall/old-firewall.ts';

const PHASE = 'http_request_firewall_custom';
const LOGIN = 'http.request.uri.path eq "/login"';
const OFFICE = 'ip.src in {203.0.113.0/24}';
const BOT = 'http.user_agent contains "CamBot"';

// Three rules whose conversions are live, one of them with a filter that was created in the same call, and one rule that is not converted.
const seed = {
  version: 1,
  accounts: [{ name: 'Shop', plan: 'enterprise' }],
  zones: [
    {
      name: 'shop.example',
      account: 'Shop',
      plan: 'pro',
      firewall: { rules: 'two_lists' },
      filters: [
        { id: id('filter', 1), expression: OFFICE },
        { id: id('filter', 2), expression: LOGIN, used_elsewhere: 1 },
        { id: id('filter', 3), expression: BOT, made_with_rule: true },
      ],
      firewall_rules: [
        { id: id('rule', 0), action: 'log', filter: { expression: 'ssl' } },
        { id: id('rule', 1), action: 'allow', filter: { id: id('filter', 1) } },
        { id: id('rule', 2), action: 'block', filter: { id: id('filter', 2) } },
        { id: id('rule', 3), action: 'block', filter: { id: id('filter', 3) } },
      ],
      rulesets: [
        {
          kind: 'zone',
          phase: PHASE,
          rules: [
            {
              ref: convertedRef(id('rule', 1)),
              action: 'skip',
              action_parameters: { ruleset: 'current' },
              expression: OFFICE,
            },
            { ref: convertedRef(id('rule', 2)), action: 'block', expression: LOGIN },
            { ref: convertedRef(id('rule', 3)), action: 'block', expression: BOT },
            { ref: 'theirs', action: 'log', expression: 'http.host eq "old.example"' },
          ],
        },
      ],
    },
  ],
};

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ budget: 'off', seed });
});
afterAll(() => emulator.close());
beforeEach(async () => {
  await control('POST', '/reset');
});

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(emulator.controlUrl + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: unknown = await answer.json();
  return json;
}

/** The number of requests before the first step. */
const PLANNING = 5;

interface Ran {
  readonly plan: RetirementPlan;
  readonly outcomes: readonly Outcome[];
  readonly journal: readonly JournalEntry[];
  readonly requests: number;
  /** The last entry of the journal when each deletion was sent. */
  readonly before: readonly (JournalEntry | undefined)[];
}

/** Makes a plan and carries it out. `stopAt` is the request at which the run is interrupted, `lost` the kind of entry that the journal refuses. */
async function run(
  stopAt = Infinity,
  access: 'write' | 'dry-run' = 'write',
  lost: JournalEntry['kind'] | null = null,
): Promise<Ran> {
  const interrupt = new AbortController();
  let requests = 0;
  const options = {
    baseUrl: emulator.baseUrl,
    credentials: { kind: 'token', token: emulator.token },
    budget: createBudget({ clock: createFakeClock(), limit: Infinity, limitPerSecond: Infinity }),
    clock: createFakeClock(),
    interrupt: interrupt.signal,
    onEvent: ({ kind }: { readonly kind: string }) => {
      requests += kind === 'started' ? 1 : 0;
      if (requests >= stopAt) {
        interrupt.abort();
      }
    },
  } as const;
  const client: WriteClient & { close(): Promise<void> } = openWriteClient(options);
  const reader = openReadClient(options);
  const journal: JournalEntry[] = [];
  const before: Ran['before'][number][] = [];
  const watched: WriteClient = {
    ...client,
    send: (request) => {
      before.push(journal.at(-1));
      return client.send(request);
    },
  };
  try {
    const zone = await readFirewallZone(await reach(openReading(client)));
    const result = planFirewallRetirement({ ...zone, baseUrl: client.baseUrl });
    if (result.kind === 'refused') {
      throw new Error(result.message);
    }
    const { plan } = result;
    const outcomes = await retireObjects({
      plan,
      access: access === 'write' ? { kind: 'write', client: watched } : { kind: 'dry-run', client: reader },
      journal: {
        record: async (entry) => {
          // Asynchronous, as a disk is.
          await setImmediate();
          journal.push(entry);
          if (entry.kind === lost) {
            throw new RulewrightError('No room.', { code: 'apply/journal', fault: 'user' });
          }
        },
        close: () => Promise.resolve(),
      },
      report: () => undefined,
      signal: interrupt.signal,
    });
    return { plan, outcomes, journal, requests, before };
  } finally {
    await client.close();
    await reader.close();
  }
}

async function reach(client: ReadClient) {
  return { client, scope: await resolveScope(client, { kind: 'zone', name: 'shop.example' }) };
}

/** A client for planning, which the interruption does not stop. */
function openReading(client: WriteClient): WriteClient {
  return { ...client, get: (path, options) => client.get(path, { ...options, insist: true }) };
}

async function live() {
  const client = openReadClient({
    baseUrl: emulator.baseUrl,
    credentials: { kind: 'token', token: emulator.token },
    budget: createBudget({ clock: createFakeClock() }),
  });
  try {
    const { rules, filters, scope } = await readFirewallZone(await reach(client));
    const entrypoint = await getEntrypoint(client, scope, PHASE);
    return {
      rules: rules.map((rule) => rule.id),
      filters: filters.map((filter) => filter.id),
      version: entrypoint?.version,
      refs: entrypoint?.rules.map(({ ref }) => ref),
    };
  } finally {
    await client.close();
  }
}

const REFS = [1, 2, 3].map((number) => convertedRef(id('rule', number))).concat('theirs');

/** Expects what is left: the rule that is not converted, its filter, and the filter that another feature uses. */
async function expectRetired(): Promise<void> {
  const { filters, ...rest } = await live();
  expect(rest).toEqual({ rules: [id('rule', 0)], version: '1', refs: REFS });
  expect(filters).toContain(id('filter', 2));
  expect(filters).toHaveLength(2);
}

/** The rule that is deleted first, and the filter that is not deleted with its rule. */
const FIRST = `firewall/rules/${id('rule', 3)}`;
const FILTER = `filters/${id('filter', 2)}`;

/** Makes the next deletions of an old object fail. */
function strike(path: string, times: number, effect: object): Promise<unknown> {
  return control('POST', '/faults', { method: 'DELETE', path: `/zones/*/${path}`, times, effect });
}

const GONE_WITH_IT = { kind: 'delete', rule: convertedRef(id('rule', 3)) };

/** Has the entry point edited right after the first deletion. */
function editAfterDeletion(change: object): Promise<unknown> {
  return control('POST', '/faults', {
    method: 'DELETE',
    path: `/zones/*/${FIRST}`,
    effect: { kind: 'edit', moment: 'after', scope: 'shop.example', phase: PHASE, change },
  });
}

describe('retireObjects', () => {
  it('reports a deletion whose result the journal cannot record, and deletes nothing after it', async () => {
    const { outcomes } = await run(Infinity, 'write', 'landed');
    expect(outcomes[0]).toMatchObject({
      kind: 'failed',
      code: 'apply/journal',
      message: 'No room. The write before it was done.',
      writes: 1,
    });
    expect(outcomes.slice(1).map(({ kind }) => kind)).toEqual(Array(5).fill('not-reached'));
    expect((await live()).rules).not.toContain(id('rule', 3));
    await run();
    await expectRetired();
  });

  it('deletes one object at a time from the end, and skips filters that are gone or in use', async () => {
    const { plan, outcomes, journal, before } = await run();
    expect(plan.steps.map(({ target }) => target.id)).toEqual([
      id('rule', 3),
      id('rule', 2),
      id('rule', 1),
      ...[1, 2, 3].map((number) => id('filter', number)),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'done',
      'done',
      'done',
      'skipped',
      'skipped',
      'skipped',
    ]);
    expect(outcomes[4]).toMatchObject({ reason: expect.stringContaining('the service keeps it') });
    expect(journal[0]).toMatchObject({ kind: 'intent', base: { id: id('rule', 3), action: 'block' } });
    expect(before.map((entry) => entry?.kind)).toEqual(Array(4).fill('intent'));
    await expectRetired();
  });

  it('deletes nothing in a dry run', async () => {
    const before = await live();
    const { outcomes } = await run(Infinity, 'dry-run');
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['skipped']));
    expect(await live()).toEqual(before);
  });

  it.each(['before', 'after'])(
    'finishes if any one request is cut %s the service carries it out',
    async (moment) => {
      const { requests } = await run();
      for (let nth = PLANNING + 1; nth <= requests; nth += 1) {
        await control('POST', '/reset');
        await control('POST', '/faults', { nth, effect: { kind: 'cut', moment } });
        const { outcomes } = await run();
        expect(outcomes.every(({ kind }) => kind === 'done' || kind === 'skipped')).toBe(true);
        await expectRetired();
      }
    },
  );

  it('finishes in a second run after an interruption at any request', async () => {
    const { requests } = await run();
    for (let nth = PLANNING + 1; nth <= requests; nth += 1) {
      await control('POST', '/reset');
      const first = await run(nth);
      const { version, refs } = await live();
      expect({ version, refs }).toEqual({ version: '1', refs: REFS });
      const second = await run();
      expect(first.outcomes.concat(second.outcomes).some(({ kind }) => kind === 'failed')).toBe(false);
      await expectRetired();
    }
  });

  it('stops and restores the entry point if a deletion takes the replacing rule from it', async () => {
    await editAfterDeletion(GONE_WITH_IT);
    const { outcomes } = await run();
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'conflict',
      ...Array.from({ length: 5 }, () => 'not-reached'),
    ]);
    expect(outcomes[0]).toMatchObject({
      message: expect.stringContaining('has its rules of version 1 again'),
    });
    expect(await live()).toMatchObject({ version: '3', refs: REFS });
  });

  it.each<[what: string, edits: readonly object[], version: string, left: readonly number[]]>([
    ['takes away another rule', [{ kind: 'delete', rule: 'theirs' }], '2', [0, 1, 2]],
    ['takes away a rule besides', [GONE_WITH_IT, { kind: 'delete', rule: 'theirs' }], '3', [0, 1]],
    [
      'adds a rule besides',
      [GONE_WITH_IT, { kind: 'add', rule: { ref: 'new', action: 'block', expression: 'ssl' } }],
      '3',
      [0, 1, 3, 4],
    ],
    [
      'changes a rule',
      [{ kind: 'patch', rule: convertedRef(id('rule', 2)), set: { enabled: false } }],
      '2',
      [0, 1, 2, 3],
    ],
  ])('leaves an entry point that somebody may have edited: it %s', async (_what, edits, version, left) => {
    for (const change of edits) {
      await editAfterDeletion(change);
    }
    const { outcomes } = await run();
    expect(outcomes[0]).toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining(`from version 1 to ${version}, and is left as it is`),
      hint: expect.stringContaining(`rulewright rollback zone:shop.example ${PHASE} --to 1 --whole-ruleset`),
    });
    expect(outcomes.slice(1).every(({ kind }) => kind === 'not-reached')).toBe(true);
    expect(await live()).toMatchObject({ version, refs: left.map((index) => [...REFS, 'new'][index]) });
  });

  it('reports that the entry point could not be restored, with the command to do it', async () => {
    await editAfterDeletion(GONE_WITH_IT);
    await control('POST', '/faults', {
      method: 'POST',
      path: '/zones/*/rulesets/**',
      effect: { kind: 'error', status: 400, code: 1000, message: 'no' },
    });
    const { outcomes } = await run();
    expect(outcomes[0]).toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('it went from version 1 to 2, and could not be restored: '),
      hint: expect.stringContaining('--to 1 --whole-ruleset'),
    });
    expect((await live()).refs).toEqual(REFS.filter((ref) => ref !== convertedRef(id('rule', 3))));
  });

  it('refuses to delete a rule that changed since the plan was made', async () => {
    await control('POST', '/faults', {
      method: 'GET',
      path: `/zones/*/firewall/rules/${id('rule', 3)}`,
      nth: 1,
      effect: {
        kind: 'edit',
        scope: 'shop.example',
        phase: PHASE,
        change: {
          kind: 'request',
          method: 'PUT',
          path: `/zones/${(await zoneId()) ?? ''}/firewall/rules/${id('rule', 3)}`,
          body: { id: id('rule', 3), action: 'challenge', filter: { id: id('filter', 3) } },
        },
      },
    });
    const { outcomes } = await run();
    expect(outcomes[0]).toMatchObject({ kind: 'refused', code: 'apply/stale' });
    expect((await live()).rules).toHaveLength(4);
  });

  it('deletes nothing if the entry point changed since the plan was made', async () => {
    await control('POST', '/faults', {
      nth: PLANNING + 1,
      effect: {
        kind: 'edit',
        scope: 'shop.example',
        phase: PHASE,
        change: { kind: 'delete', rule: convertedRef(id('rule', 3)) },
      },
    });
    const { outcomes } = await run();
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'refused',
      ...Array.from({ length: 5 }, () => 'not-reached'),
    ]);
    expect(outcomes[0]).toMatchObject({
      code: 'apply/stale',
      message: expect.stringContaining('the entry point of http_request_firewall_custom moved'),
    });
    expect((await live()).rules).toHaveLength(4);
  });

  it.each([
    ['before it deletes anything', PLANNING + 1, 0, 4],
    ['after a deletion, which it does not hide', PLANNING + 4, 1, 3],
  ])('stops if the entry point cannot be read %s', async (_when, nth, writes, left) => {
    await control('POST', '/faults', {
      nth,
      effect: { kind: 'error', status: 403, code: 10_000, message: 'not yours' },
    });
    const { outcomes } = await run();
    expect(outcomes[0]).toMatchObject({ kind: 'failed', writes });
    expect(outcomes.slice(1).every(({ kind }) => kind === 'not-reached')).toBe(true);
    expect((await live()).rules).toHaveLength(left);
  });

  it('does not take a rule for gone if a gateway answers 404', async () => {
    await control('POST', '/faults', {
      method: 'GET',
      path: `/zones/*/firewall/rules/${id('rule', 3)}`,
      effect: { kind: 'error', status: 404, code: 7003, message: 'Could not route' },
    });
    const { outcomes } = await run();
    expect(outcomes[0]).toMatchObject({ kind: 'failed', code: 'api/not-found', writes: 0 });
    expect((await live()).rules).toHaveLength(4);
  });

  it('explains the failure if the interface is read-only', async () => {
    await control('PUT', '/switches', { oldInterfaces: 'maintenance' });
    const { outcomes } = await run();
    await control('PUT', '/switches', { oldInterfaces: 'open' });
    expect(outcomes[0]).toMatchObject({
      kind: 'failed',
      hint: expect.stringContaining('read-only'),
      writes: 0,
    });
  });

  it('reports a deletion without an answer as in doubt, but not one that the service says has failed', async () => {
    // One for each of its three attempts.
    await strike(FIRST, 3, { kind: 'cut' });
    const lost = await run();
    expect(lost.before).toHaveLength(3);
    expect(lost.outcomes[0]).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/Live does not show it, but it may still land\.$/),
      writes: 0,
      inDoubt: true,
    });
    expect(lost.journal.at(-1)).toMatchObject({ kind: 'failed', landed: false, inDoubt: true });
    await strike(FIRST, 3, { kind: 'error', status: 500, code: 1000, message: 'not today' });
    const failed = await run();
    expect(failed.outcomes[0]).toMatchObject({ kind: 'failed', code: 'api/server-error', writes: 0 });
    expect(failed.outcomes[0]).not.toHaveProperty('inDoubt');
    expect(failed.journal.at(-1)).toMatchObject({ kind: 'failed', landed: false });
    expect(failed.journal.at(-1)).not.toHaveProperty('inDoubt');
  });

  it.each<[what: string, effect: object, inDoubt: object]>([
    ['nobody answered', { kind: 'cut' }, { inDoubt: true }],
    ['failed', { kind: 'error', status: 500, code: 1000, message: 'not today' }, { inDoubt: true }],
    ['was refused', { kind: 'error', status: 400, code: 1000, message: 'no' }, {}],
  ])(
    'does not send a deletion again that %s if live cannot be read to find out',
    async (_what, effect, inDoubt) => {
      await strike(FIRST, 1, effect);
      await control('POST', '/faults', {
        method: 'GET',
        path: `/zones/*/${FIRST}`,
        nth: 2,
        effect: { kind: 'error', status: 403, code: 10_000, message: 'not yours' },
      });
      const { outcomes, before } = await run();
      expect(before).toHaveLength(1);
      const doubt = { message: expect.stringContaining('Live could not be read to find out'), ...inDoubt };
      expect(outcomes[0]).toMatchObject({
        kind: 'failed',
        writes: 0,
        ...('inDoubt' in inDoubt ? doubt : {}),
      });
      expect('inDoubt' in (outcomes[0] ?? {})).toBe('inDoubt' in inDoubt);
      expect((await live()).rules).toHaveLength(4);
    },
  );

  // The run goes past an object only if it is a filter and the service says that it is in use.
  it.each<[what: string, path: string, effect: object, code: string]>([
    ['a rule that the service refuses', FIRST, { status: 400, code: 1000 }, 'api/refused'],
    ['a filter that the service fails at', FILTER, { status: 500, code: 1000 }, 'api/server-error'],
    ['a filter of a read-only interface', FILTER, { status: 400, code: 10_020 }, 'api/refused'],
  ])('stops at %s', async (_what, path, effect, code) => {
    await strike(path, 3, { kind: 'error', message: 'no', ...effect });
    const { plan, outcomes } = await run();
    const at = plan.steps.findIndex(({ target }) => path.endsWith(target.id));
    expect(outcomes[at]).toMatchObject({ kind: 'failed', code, writes: 0 });
    expect(outcomes.slice(at + 1).every(({ kind }) => kind === 'not-reached')).toBe(true);
  });
});

async function zoneId(): Promise<string | undefined> {
  const answer = await fetch(`${emulator.baseUrl}/zones?name=shop.example`, {
    headers: { authorization: `Bearer ${emulator.token}` },
  });
  const text = await answer.text();
  return /"id":\s*"([0-9a-f]{32})"/.exec(text)?.[1];
}
