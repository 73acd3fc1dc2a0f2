import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { AuditEntry, AuditReading, OwnWrites } from '../../../src/model/index.ts';
import { driftChanges, findAuthors } from '../../../src/plan/index.ts';
import { add, move, patch, plan, remove, scope, update } from '../../report/plan-builder.ts';
import { propertyRuns } from '../../property-runs.ts';

const [ZONE, ACCOUNT, RULESET] = ['e'.repeat(32), 'f'.repeat(32), 'd'.repeat(32)];
const [PATCHED, MOVED, ADDED] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)];
const PATH = `/zones/${ZONE}/rulesets/${RULESET}`;
/** When the live version, 7, was made. */
const MADE = Date.parse('2026-11-20T10:00:00Z');
const NOW = Date.parse('2026-11-28T10:00:00Z');
const STEP = 'zone:shop.example/http_request_firewall_custom';
const NOBODY: OwnWrites = { ids: new Map(), undone: new Set(), versions: new Map(), rulesets: new Map() };

function entry(more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 'one',
    at: MADE,
    actor: { kind: 'token', name: 'CI' },
    via: 'api-token',
    userAgent: '',
    ray: '',
    method: 'PUT',
    path: PATH,
    resource: RULESET,
    setting: null,
    version: null,
    ref: null,
    ...more,
  };
}

const read = (
  entries: readonly AuditEntry[],
  more: Partial<Extract<AuditReading, { kind: 'read' }>> = {},
): AuditReading => ({ kind: 'read', entries, since: MADE - 86_400_000, cutAt: null, ...more });

const CHANGED = plan(
  scope([
    update([
      patch('patched', { before: { action: 'log' }, after: { action: 'block' } }),
      move('moved'),
      add('missing'),
      remove('extra'),
    ]),
  ]),
);

/** Returns the ids of the entries that count for each rule, or the reason why there is none. */
function found(log: AuditReading, own: OwnWrites = NOBODY, now = NOW): Readonly<Record<string, unknown>> {
  const sources = { logs: new Map([[ACCOUNT, log]]), own, now, retention: 540 * 86_400_000 };
  return Object.fromEntries(
    driftChanges(CHANGED, findAuthors(CHANGED, sources)).map(({ rule, changed_by = [], not_known }) => [
      rule,
      [...changed_by.map((one) => one.audit_id), ...(not_known === undefined ? [] : [not_known.reason])],
    ]),
  );
}

const all = (...said: readonly string[]) => ({ patched: said, moved: said, missing: said, extra: said });

describe('which entry counts for which rule', () => {
  test.each<[what: string, more: Partial<AuditEntry>, rules: object]>([
    ['the whole ruleset', {}, all('one')],
    [
      'the whole entry point',
      { path: `/zones/${ZONE}/rulesets/phases/http_request_firewall_custom/entrypoint` },
      all('one'),
    ],
    [
      'one rule',
      { method: 'PATCH', path: `${PATH}/rules/${PATCHED}` },
      { patched: ['one'], moved: ['one'], missing: ['no-entry'], extra: ['no-entry'] },
    ],
    [
      'a rule that moved',
      { method: 'PATCH', path: `${PATH}/rules/${MOVED}` },
      { patched: ['no-entry'], moved: ['one'], missing: ['no-entry'], extra: ['no-entry'] },
    ],
    [
      'a new rule',
      { method: 'POST', path: `${PATH}/rules` },
      { patched: ['no-entry'], moved: ['one'], missing: ['no-entry'], extra: ['one'] },
    ],
    [
      'a new rule of another name',
      { method: 'POST', path: `${PATH}/rules`, ref: 'other' },
      { patched: ['no-entry'], moved: ['one'], missing: ['no-entry'], extra: ['no-entry'] },
    ],
    [
      'a rule that is not live any more',
      { method: 'DELETE', path: `${PATH}/rules/${'9'.repeat(32)}` },
      { patched: ['no-entry'], moved: ['no-entry'], missing: ['one'], extra: ['no-entry'] },
    ],
    [
      'a rule that is live still',
      { method: 'DELETE', path: `${PATH}/rules/${ADDED}` },
      { patched: ['no-entry'], moved: ['no-entry'], missing: ['no-entry'], extra: ['one'] },
    ],
    ['the ruleset, in the older version of the log', { path: null, method: null }, all('one')],
    ['another ruleset', { path: `/zones/${ZONE}/rulesets/${'1'.repeat(32)}` }, all('no-entry')],
    ['another zone', { path: `/zones/${'1'.repeat(32)}/rulesets/${RULESET}` }, all('no-entry')],
    ['the same id in the account', { path: `/accounts/${ZONE}/rulesets/${RULESET}` }, all('no-entry')],
    ['another phase', { path: `/zones/${ZONE}/rulesets/phases/http_ratelimit/entrypoint` }, all('no-entry')],
    ['a path that only begins alike', { path: `${PATH}/rules/x` }, all('no-entry')],
    ['a write after the live version', { at: MADE + 60_000 }, all('no-entry')],
    ['a later version', { version: '8' }, all('no-entry')],
  ])('%s', (_, more, rules) => {
    expect(found(read([entry(more)]))).toEqual(rules);
  });
});

describe('several edits', () => {
  const first = entry({
    id: 'first',
    at: MADE - 3_600_000,
    actor: { kind: 'user', name: 'ann' },
    version: '6',
  });
  const last = entry({ id: 'last', version: '7' });

  it('are each told, the newest last', () => {
    expect(found(read([last, first]))).toEqual(all('first', 'last'));
  });

  it('are told after the last write of our own alone', () => {
    expect(found(read([last, first]), { ...NOBODY, ids: new Map([['first', STEP]]) })).toEqual(all('last'));
    expect(
      found(read([last, { ...first, ray: 'ray' }]), { ...NOBODY, ids: new Map([['ray', STEP]]) }),
    ).toEqual(all('last'));
    expect(found(read([last, first]), { ...NOBODY, versions: new Map([[RULESET, 6]]) })).toEqual(all('last'));
  });

  it('are both told if the second undid the first for most rules', () => {
    // A rule that was patched, put back, and patched again: the log does not say what a write said.
    const [edit, undo, again] = [1, 2, 3].map((number) =>
      entry({
        id: `patch ${number}`,
        at: MADE - (3 - number) * 60_000,
        method: 'PATCH',
        path: `${PATH}/rules/${PATCHED}`,
        version: String(number + 4),
      }),
    );
    expect(found(read([edit, undo, again].flatMap((one) => one ?? [])))['patched']).toEqual([
      'patch 1',
      'patch 2',
      'patch 3',
    ]);
  });

  it('are none if the live version is our own', () => {
    expect(found(read([last, first]), { ...NOBODY, ids: new Map([['last', STEP]]) })).toEqual(all('own'));
    expect(found(read([last, first]), { ...NOBODY, versions: new Map([[RULESET, 7]]) })).toEqual(all('own'));
  });

  it('are told if a run of our own overwrote them, failed, and put them back', () => {
    const [wrote, back] = [entry({ id: 'wrote', at: MADE - 2000 }), entry({ id: 'back', ray: 'ray' })];
    const own = {
      ...NOBODY,
      ids: new Map([
        ['wrote', STEP],
        ['ray', STEP],
      ]),
    };
    const undone = new Set(own.ids.keys());
    expect(found(read([first, wrote, back]), own)).toEqual(all('own'));
    expect(found(read([first, wrote, back]), { ...own, undone })).toEqual(all('first'));
  });

  it('are none if a run of our own created the ruleset, which no path names yet', () => {
    const created = entry({ id: 'made', method: 'POST', path: `/zones/${ZONE}/rulesets`, resource: ZONE });
    expect(found(read([created]))).toEqual(all('no-entry'));
    expect(found(read([created]), { ...NOBODY, ids: new Map([['made', STEP]]) })).toEqual(all('own'));
    expect(found(read([created]), { ...NOBODY, ids: new Map([['made', 'other']]) })).toEqual(all('no-entry'));
  });

  it('are not ours if somebody wrote after us whose entry is not there yet', () => {
    const own = { ...NOBODY, ids: new Map([['first', STEP]]), versions: new Map([[RULESET, 6]]) };
    const near = { ...first, at: MADE - 5_000 };
    expect(found(read([near]), own, MADE + 60_000)).toEqual(all('delayed'));
  });
});

describe('what is not known', () => {
  test.each<[reason: string, log: AuditReading, now?: number]>([
    ['no-entry', read([])],
    ['delayed', read([]), MADE + 60_000],
    ['too-old', read([]), MADE + 541 * 86_400_000],
    ['before-since', read([], { since: MADE + 1 })],
    ['cut', read([], { cutAt: MADE + 3_600_000 })],
    ['no-permission', { kind: 'unread', why: { reason: 'no-permission', message: 'no' } }],
  ])('%s', (reason, log, now) => {
    expect(found(log, NOBODY, now)).toEqual(all(reason));
  });

  it('is said beside earlier writes if the last one is missing', () => {
    const earlier = entry({ at: MADE - 3_600_000 });
    expect(found(read([earlier]))).toEqual(all('one', 'no-entry'));
  });

  it('is that nobody asked where the account was not read', () => {
    const sources = { logs: new Map(), own: NOBODY, now: NOW, retention: 1 };
    const [change] = driftChanges(CHANGED, findAuthors(CHANGED, sources));
    expect(change).toMatchObject({ changed_by: [], not_known: { reason: 'not-asked' } });
  });
});

it('never names who wrote something else, or at another time', () => {
  const id = fc.constantFrom(RULESET, '1'.repeat(32), ZONE);
  const stranger = fc
    .record({
      owner: fc.constantFrom(`/zones/${ZONE}`, `/zones/${'1'.repeat(32)}`, `/accounts/${ACCOUNT}`),
      rest: fc.oneof(
        id.map((one) => `rulesets/${one}`),
        fc.tuple(id, id).map(([one, rule]) => `rulesets/${one}/rules/${rule}`),
        fc.constantFrom('rulesets/phases/http_ratelimit/entrypoint', 'dns_records', 'rulesets', ''),
      ),
      method: fc.constantFrom('PUT', 'PATCH', 'POST', 'DELETE'),
      resource: id,
      at: fc.integer({ min: MADE - 40 * 86_400_000, max: MADE + 86_400_000 }),
    })
    .map(({ owner, rest, ...more }) => entry({ path: `${owner}/${rest}`, ...more }));
  fc.assert(
    fc.property(fc.array(stranger), (entries) => {
      const sources = { logs: new Map([[ACCOUNT, read(entries)]]), own: NOBODY, now: NOW, retention: 1e12 };
      const byId = entries.map((one, index) => ({ ...one, id: String(index) }));
      sources.logs.set(ACCOUNT, read(byId));
      for (const { changed_by = [] } of driftChanges(CHANGED, findAuthors(CHANGED, sources))) {
        for (const { audit_id } of changed_by) {
          const { path, at, resource } = byId[Number(audit_id)] ?? entry();
          const own = path?.startsWith(`/zones/${ZONE}/rulesets`) === true;
          expect([own, at <= MADE + 10_000]).toEqual([true, true]);
          expect(path?.includes(RULESET) === true || resource === RULESET).toBe(true);
        }
      }
    }),
    { numRuns: propertyRuns() },
  );
});
