import { describe, expect, it } from 'vitest';
import type { AddRule, PatchRule } from '../../src/model/change.ts';
import type { PlannedScope, UpdateStep } from '../../src/model/plan.ts';
import type { Scope } from '../../src/model/scope.ts';
import { similarityKey, planSimilarityKey } from '../../src/report/similarity-key.ts';
import { add, cause, content, patch, remove, scope, update } from './plan-builder.ts';

/** What may differ between two zones. */
interface Zone {
  readonly name?: string;
  readonly kind?: Scope['kind'];
  readonly step?: Partial<UpdateStep>;
  readonly rule?: Partial<PatchRule>;
  readonly before?: string;
  readonly after?: string;
  readonly scope?: Partial<PlannedScope>;
}

const ID = 'a'.repeat(32);
const OTHER_ID = '1'.repeat(32);
const PACK = { file: 'packs/bots.yaml', line: 3, column: 5 };
const MOVE = { from: { index: 1, after: null }, to: { index: 2, after: 'a' } };
const USE = cause(6, { file: 'zones/a.yaml' });

/** A new rule behind another one. */
function after(ref: string): AddRule {
  return add('new', { place: { index: 2, after: ref } });
}

/** The digest of a zone in which one rule changes. */
function digest({ name = 'a.example', kind = 'zone', ...zone }: Zone = {}): string {
  const { before = 'ip.src eq 192.0.2.1', after = 'ip.src eq 192.0.2.2' } = zone;
  const changed = patch('bots', { before: { expression: before }, after: { expression: after } }, zone.rule);
  const id = `${kind}:${name}/http_request_firewall_custom`;
  return planSimilarityKey(
    scope([update([changed], { id, ...zone.step })], {
      scope: { kind, id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) },
      ...zone.scope,
    }),
  );
}

describe('planSimilarityKey of zones that change alike', () => {
  const same: Readonly<Record<string, readonly [Zone, Zone]>> = {
    'the name': [{}, { name: 'b.example' }],
    'the name in expressions': [
      { after: 'http.host in {"a.example" "www.a.example"}' },
      { name: 'b.example', after: 'http.host in {"b.example" "www.b.example"}' },
    ],
    'the version and its time': [
      {},
      { step: { base: { kind: 'version', id: OTHER_ID, version: '9', lastUpdated: '' } } },
    ],
    'the id of the rule': [{}, { rule: { id: OTHER_ID } }],
    'the id of the rule, which is its ref, also where it is named': [
      { rule: { id: ID, ref: ID, place: { index: 2, after: ID } } },
      { rule: { id: OTHER_ID, ref: OTHER_ID, place: { index: 2, after: OTHER_ID } } },
    ],
    'how live spells an expression of the same meaning': [
      {},
      { scope: { notes: [{ kind: 'respelled', step: 'a', rule: 'b', message: 'other text' }] } },
    ],
    'the file of the scope': [{}, { rule: { cause: cause(7, { file: 'zones/b.yaml' }) } }],
    'where the scope uses the pack': [
      { rule: { cause: { ...PACK, via: [USE] } } },
      { rule: { cause: { ...PACK, via: [cause(9)] } } },
    ],
    'which rule stays': [
      { step: { staying: [ID] }, rule: { id: ID } },
      { step: { staying: [OTHER_ID] }, rule: { id: OTHER_ID } },
    ],
    'how many rules stay, and how many of them are of others': [
      {},
      { step: { staying: [ID, OTHER_ID], others: [OTHER_ID] } },
    ],
    'the number of a rule that stays where it is': [{}, { rule: { place: { index: 3, after: 'own-2' } } }],
    'a rule that stays before one that changes where it is': [
      { rule: { place: { index: 2, after: 'own-1' } } },
      { rule: { place: { index: 2, after: 'own-2' } } },
    ],
    'the variable with the token': [{}, { scope: { tokenEnv: 'OTHER_TOKEN' } }],
  };
  it.each(Object.entries(same))('ignores %s', (_what, [one, other]) => {
    expect(digest(other)).toBe(digest(one));
  });
});

describe('planSimilarityKey of zones that change differently', () => {
  const different: Readonly<Record<string, readonly [Zone, Zone]>> = {
    'the value before': [{}, { before: 'ip.src eq 192.0.2.7' }],
    'the value after': [{}, { after: 'ip.src eq 192.0.2.7' }],
    'the kind of scope': [{}, { kind: 'account', name: 'a.example' }],
    'the name of another zone in an expression': [
      { after: 'http.host eq "a.example"' },
      { name: 'b.example', after: 'http.host eq "a.example"' },
    ],
    'a name of which that of the zone is the end': [
      { after: 'http.host eq "nota.example"' },
      { name: 'b.example', after: 'http.host eq "notb.example"' },
    ],
    'a name of which that of the zone is the begin': [
      { after: 'http.host eq "a.example.org"' },
      { name: 'b.example', after: 'http.host eq "b.example.org"' },
    ],
    'a value that is the name of an account': [
      { kind: 'account', name: 'log', rule: { content: content({ action: 'log' }) } },
      { kind: 'account', name: 'block', rule: { content: content({ action: 'block' }) } },
    ],
    'what would stand in place of a name': [
      { after: 'http.host eq "a.example"' },
      { name: 'b.example', after: 'http.host eq "\u{1}"' },
    ],
    'an id that is not of the scope': [
      { rule: { content: content({ action: 'execute', action_parameters: { id: ID.replace('a', 'b') } }) } },
      { rule: { content: content({ action: 'execute', action_parameters: { id: OTHER_ID } }) } },
    ],
    'the pack': [
      { rule: { cause: { ...PACK, via: [USE] } } },
      { rule: { cause: { ...PACK, file: 'packs/other.yaml', via: [USE] } } },
    ],
    'a pack or a file of its own': [{ rule: { cause: { ...PACK, via: [USE] } } }, { rule: { cause: PACK } }],
    'the pack between two packs': [
      { rule: { cause: { ...PACK, via: [{ ...PACK, file: 'packs/one.yaml' }, USE] } } },
      { rule: { cause: { ...PACK, via: [{ ...PACK, file: 'packs/two.yaml' }, USE] } } },
    ],
    'the place of a new rule': [
      { step: { changes: [after('a')] } },
      { step: { changes: [add('new', { place: { index: 3, after: 'a' } })] } },
    ],
    'how many rules stay where one moves': [
      { rule: { move: MOVE } },
      { rule: { move: MOVE }, step: { staying: [OTHER_ID] } },
    ],
    'how many of them are of others': [
      { rule: { move: MOVE } },
      { rule: { move: MOVE }, step: { others: [OTHER_ID] } },
    ],
    'what a place names': [{ step: { changes: [after('own-1')] } }, { step: { changes: [after('own-2')] } }],
    'one more change': [{}, { step: { changes: [add('more')] } }],
    'what is deleted': [
      { step: { changes: [remove('old')] } },
      { step: { changes: [remove('old', { before: content({ action: 'log' }) })] } },
    ],
    'what the change does to protection': [
      {},
      { rule: { protection: { kind: 'weakening', reason: 'protects less' } } },
    ],
    'whether the ruleset is there': [{}, { step: { base: { kind: 'absent' } } }],
    'what a guard found': [
      {},
      { scope: { findings: [{ kind: 'quota', effect: 'warn', message: 'too many' }] } },
    ],
    'whether it stops apply': [
      { scope: { findings: [{ kind: 'weakened', effect: 'warn', message: 'less' }] } },
      { scope: { findings: [{ kind: 'weakened', effect: 'refuse', message: 'less' }] } },
    ],
    'a note': [{}, { scope: { notes: [{ kind: 'shadowed', step: '', rule: 'bots', message: 'behind' }] } }],
  };
  it.each(Object.entries(different))('depends on %s', (_what, [one, other]) => {
    expect(digest(other)).not.toBe(digest(one));
  });

  it('depends on which of its rulesets a rule names, but not on their ids', () => {
    const custom = (name: string, id: string) => ({
      target: { kind: 'ruleset', level: 'custom', phase: 'http_request_firewall_custom', name } as const,
      base: { kind: 'version', id, version: '1', lastUpdated: '' } as const,
    });
    const [first, second] = ['4'.repeat(32), '5'.repeat(32)];
    const skips = (id: string, ...bases: PlannedScope['bases']): string =>
      digest({
        rule: { content: content({ action: 'skip', action_parameters: { rulesets: [id] } }) },
        scope: { bases },
      });
    const one = skips(first, custom('login', first), custom('api', second));
    expect(skips(second, custom('login', second), custom('api', first))).toBe(one);
    expect(skips(second, custom('login', first), custom('api', second))).not.toBe(one);
  });

  it('depends on the values that are given besides the plan', () => {
    const planned = scope([update([add('one')])]);
    expect(planSimilarityKey(planned, ['failed'])).not.toBe(planSimilarityKey(planned, ['done']));
  });
});

it('computes the key of a value without the name of its scope, but with other names', () => {
  const said = (name: string): string =>
    similarityKey({ message: `zone:${name}/http_ratelimit, read again` }, `zone:${name}`);
  expect(said('b.example')).toBe(said('a.example'));
  expect(said('b.example')).not.toBe(
    similarityKey({ message: 'zone:a.example/http_ratelimit, read again' }, 'zone:b.example'),
  );
});

it('computes the key of a value without the name and account of its zone, but with other hosts', () => {
  const said = (account: string, host = 'a.example'): string => {
    const zone = `zone:a.example@${account.repeat(32)}`;
    return similarityKey({ message: `${zone}/http_ratelimit: http.host eq "${host}"` }, zone);
  };
  expect(said('b')).toBe(said('c'));
  expect(said('b', 'b.example')).not.toBe(said('b'));
});
