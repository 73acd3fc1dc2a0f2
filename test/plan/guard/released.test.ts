import { describe, expect, it } from 'vitest';
import type { RulesetAddress } from '../../../src/model/ruleset.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import { findLetGo } from '../../../src/plan/guard/no-longer-declared.ts';
import { desiredRule, desiredRuleset } from '../build.ts';

const CUSTOM = 'http_request_firewall_custom';
const LOGIN: RulesetAddress = { kind: 'custom', phase: CUSTOM, name: 'Login' };
const phase = (name: string): RulesetAddress => ({ kind: 'entrypoint', phase: name });
const cause = { file: 'zones/shop.yaml', line: 1, column: 1 };

function zone(
  name: string,
  addresses: readonly RulesetAddress[],
  { ruleCount = 1, owns = 'declared' }: { ruleCount?: number; owns?: 'declared' | 'all' } = {},
): DesiredScope {
  const rules = Array.from({ length: ruleCount }, () => desiredRule());
  const rulesets = addresses.map((address) => desiredRuleset(rules, { address }));
  return { scope: { kind: 'zone', name }, rulesetOwnership: owns, rulesets, cause };
}

const SHOP = { kind: 'zone', id: 'a'.repeat(32), name: 'shop.example', accountId: '' } as const;
const released = (before: readonly DesiredScope[], now: readonly DesiredScope[]) =>
  findLetGo({ before, now, known: [SHOP] });

describe('findLetGo', () => {
  it('names a phase once with all zones that release it, and says how to delete its rules instead', () => {
    const both = [phase(CUSTOM), phase('http_ratelimit')];
    const names = ['a.example', 'b.example'];
    expect(
      released(
        names.map((name) => zone(name, both)),
        names.map((name) => zone(name, [phase(CUSTOM)])),
      ),
    ).toEqual([
      {
        kind: 'settings',
        effect: 'warn',
        message:
          'http_ratelimit in zone:a.example, zone:b.example is no longer managed. What is live there stays. To delete its rules instead, keep the phase with the ownership that it had, and rules: []',
      },
    ]);
  });

  it('names a custom ruleset, unless its scope deletes undeclared rulesets', () => {
    const before = [zone('a.example', [phase(CUSTOM), LOGIN])];
    expect(released(before, [zone('a.example', [phase(CUSTOM)])]).map(({ message }) => message)).toEqual([
      `custom ruleset Login (${CUSTOM}) in zone:a.example is no longer managed. What is live there stays. To delete it instead, keep its name with absent: true`,
    ]);
    expect(released(before, [zone('a.example', [phase(CUSTOM)], { owns: 'all' })])).toEqual([]);
  });

  it('names lists and settings that are left to others, and says how a list is deleted instead', () => {
    const list = { name: 'office', kind: 'ip', presence: 'present', items: [], cause } as const;
    const setting = { name: 'ssl', fields: [{ path: '', value: 'full' }], cause };
    const empty = zone('a.example', []);
    const before = [
      {
        ...empty,
        lists: [list, { ...list, name: 'theirs', items: 'external' as const }],
        settings: [setting],
      },
    ];
    expect(released(before, [empty]).map(({ message }) => message)).toEqual([
      'the list office in zone:a.example is no longer managed. What is live there stays. To delete it instead, keep its name with absent: true',
      'the setting zone.ssl in zone:a.example is no longer managed. What is live there stays.',
    ]);
    const kept = { ...empty, lists: [{ ...list, presence: 'absent' as const }], settings: [setting] };
    expect(released(before, [kept])).toEqual([]);
    expect(released(before, []).map(({ message }) => message)).toEqual([
      expect.stringContaining('no file declares zone:a.example (list office, setting zone.ssl) any more'),
    ]);
  });

  it('names scopes that no file declares any more, with their rulesets', () => {
    const gone = ['a.example', 'b.example'].map((name) => zone(name, [phase(CUSTOM), LOGIN]));
    expect(released(gone, []).map(({ message }) => message)).toEqual([
      `no file declares zone:a.example (${CUSTOM}, ${CUSTOM}/Login), zone:b.example (${CUSTOM}, ${CUSTOM}/Login) any more. What is live there stays, but is no longer managed. To delete its rules instead, keep the file, say rules: [] in each phase, apply, then remove it`,
    ]);
    const many = Array.from({ length: 25 }, (_, at) => zone(`z${at}.example`, [phase(CUSTOM)]));
    expect(released(many, [])[0]?.message).toContain(`zone:z19.example (${CUSTOM}) and 5 more any more.`);
  });

  it('advises a file of its own for a scope that left a file which still declares others', () => {
    const listed = (name: string) => ({ ...zone(name, [phase(CUSTOM)]), files: ['zones/shops.yaml'] });
    expect(released([listed('a.example'), listed('b.example')], [listed('b.example')])).toEqual([
      expect.objectContaining({
        message: `no file declares zone:a.example (${CUSTOM}) any more. What is live there stays, but is no longer managed. To delete its rules instead, give it a file of its own with rules: [] in each phase (the file that named it still declares others), apply, then remove that file`,
      }),
    ]);
    const own = { ...zone('a.example', [phase('http_ratelimit')]), files: ['zones/a.yaml'] };
    expect(
      released([listed('a.example'), listed('b.example'), own], [listed('b.example'), own]).map(
        ({ message }) => message,
      ),
    ).toEqual([
      `${CUSTOM} in zone:a.example is no longer managed. What is live there stays. To delete its rules instead, declare the phase with the ownership that it had, and rules: [], in a file that names no other scope`,
    ]);
    const whole = released([listed('a.example'), listed('b.example')], []);
    expect(whole.map(({ message }) => message)).toEqual([expect.stringContaining('instead, keep the file,')]);
  });

  it('is silent about rulesets declared empty, moved to another file, or in a zone now given by its id', () => {
    const empty = zone('a.example', [phase(CUSTOM), LOGIN], { ruleCount: 0 });
    expect(released([empty], [])).toEqual([]);
    const shop = [phase(CUSTOM), phase('http_ratelimit')];
    expect(released([zone('shop.example', shop)], [zone(SHOP.id, shop)])).toEqual([]);
    expect(
      released(
        [zone('shop.example', shop)],
        shop.map((address) => zone('shop.example', [address])),
      ),
    ).toEqual([]);
  });

  it('assumes that a scope not read in this run may only be given by id now, or by name', () => {
    const blog = [zone('blog.example', [phase(CUSTOM), phase('http_ratelimit')])];
    const byId = (...addresses: readonly RulesetAddress[]) => [zone('b'.repeat(32), addresses)];
    expect(released(blog, byId(phase(CUSTOM), phase('http_ratelimit')))).toEqual([]);
    expect(released(byId(phase(CUSTOM)), blog)).toEqual([]);
    expect(released(blog, byId(phase(CUSTOM))).map(({ message }) => message)).toEqual([
      expect.stringContaining('http_ratelimit in zone:blog.example is no longer managed.'),
    ]);
  });

  it('does not match a gone scope with one that was read, existed before, or is given in the same way', () => {
    const blog = zone('blog.example', [phase(CUSTOM)]);
    const gone = [
      expect.objectContaining({ message: expect.stringContaining('no file declares zone:blog.example') }),
    ];
    const stays = zone('b'.repeat(32), [phase(CUSTOM)]);
    expect(released([blog], [zone(SHOP.id, [phase(CUSTOM)])])).toEqual(gone);
    expect(released([blog, stays], [stays])).toEqual(gone);
    expect(released([blog], [zone('news.example', [phase(CUSTOM)])])).toEqual(gone);
  });
});
