import { beforeAll, describe, expect, test } from 'vitest';

import { dryRunOf } from '../../src/api/client.ts';
import { dryRun, probeDryRun } from '../../src/api/dry-run.ts';
import { ABSENT_RULE_ID, entrypointPath, rulesetPath } from '../../src/api/paths.ts';
import {
  deleteRuleRequest,
  deleteRulesetRequest,
  updateRulesetRequest,
} from '../../src/api/ruleset-requests.ts';
import { getEntrypoint, getRuleset, getVersion, listRulesets, listVersions } from '../../src/api/rulesets.ts';
import { isNotFound } from '../../src/api/service-error.ts';
import type { ServiceError } from '../../src/api/service-error.ts';
import { listOf, objectOf } from '../../src/model/json.ts';
import type { JsonObject, JsonValue } from '../../src/model/json.ts';
import type { LiveRuleset, LiveRulesetHead } from '../../src/model/ruleset.ts';
import { serviceError } from '../api/caught.ts';
import { addRule, deleteRule, deleteRuleset, updateRule, updateRuleset } from '../api/ruleset-writes.ts';
import { openScratchZone, PATIENCE, PHASE } from './scratch-zone.ts';
import type { ScratchZone } from './scratch-zone.ts';

// What the safety of a run rests on, one fact a test: its title says where that is known from, its comment what would happen were it
// otherwise. By default this is the embedded service; with RULEWRIGHT_CONTRACT_ZONE a real one (docs/emulator.md).

let zone: ScratchZone;

beforeAll(async () => {
  zone = await openScratchZone(process.env);
  return async () => {
    await zone.close().finally(() => {
      process.stdout.write(zone.report());
    });
  };
}, PATIENCE);

/** A rule that no request meets: it is off, and `.invalid` is the name of no host. */
function rule(name: string, members: JsonObject = {}): JsonObject {
  const expression = `http.host eq "${name}.invalid"`;
  return { ref: `${zone.mark}-${name}`, action: 'block', expression, enabled: false, ...members };
}

function entryPoint(...names: readonly string[]): Promise<LiveRuleset> {
  return zone.make({ name: 'default', kind: 'zone', rules: names.map((name) => rule(name)) });
}

function put(id: string, rules: readonly JsonObject[]): Promise<LiveRuleset> {
  return updateRuleset(zone.client, zone.scope, id, { rules });
}

/** Rules by the names that the test gave them, in their order. */
function names({ rules }: LiveRuleset): readonly string[] {
  return rules.map(({ ref }) => ref.replace(`${zone.mark}-`, ''));
}

function idOf({ rules }: LiveRuleset, name: string): string {
  return rules.find(({ ref }) => ref === `${zone.mark}-${name}`)?.id ?? `no rule ${name}`;
}

/** The rules as they come, with versions and times, which `LiveRule` leaves out. */
async function wireRules(id: string): Promise<readonly JsonValue[]> {
  const { result } = await zone.client.get(rulesetPath(zone.scope, id));
  return listOf(objectOf(result)['rules']);
}

function read(id: string): Promise<LiveRuleset> {
  return getRuleset(zone.client, zone.scope, id);
}

function codes({ errors }: ServiceError): readonly (number | undefined)[] {
  return errors.map(({ code }) => code);
}

describe('reads', { timeout: PATIENCE }, () => {
  // That there is none could not be told from a read that failed, and a plan would add what it did not see.
  test('a missing entry point answers 404 with code 10003, and lists omit it (api.md 0.3 number 12, 1.6)', async () => {
    const missing = await serviceError(zone.client.get(entrypointPath(zone.scope, PHASE)));
    expect([missing.status, codes(missing)]).toEqual([404, [10003]]);
    const listed = await listRulesets(zone.client, zone.scope);
    expect(listed.filter(({ kind, phase }) => kind === 'zone' && phase === PHASE)).toEqual([]);
  });

  // A plan that was made for a ruleset would be applied to another one in its place.
  test('a deleted entry point is gone, and one that is made again has another id (api.md 6.2, assumed)', async () => {
    const first = await entryPoint('a');
    await deleteRuleset(zone.client, zone.scope, first.id);
    expect(isNotFound(await serviceError(read(first.id)))).toBe(true);
    expect(await getEntrypoint(zone.client, zone.scope, PHASE)).toBeNull();
    const second = await entryPoint('a');
    expect([second.version, second.id === first.id]).toEqual(['1', false]);
  });

  // A write that landed would seem lost and be sent again, and the cache would serve old rules under a new version.
  test('right after a write, its version and time are in reads by id, by phase and in the list (api.md 3.1, 6.4, assumed)', async () => {
    const made = await entryPoint('a');
    const written = await put(made.id, [rule('a'), rule('b')]);
    const listed = await listRulesets(zone.client, zone.scope);
    const head = listed.find(({ id }) => id === made.id);
    expect(head).toEqual(headOf(written));
    expect(await read(made.id)).toEqual(written);
    expect(await getEntrypoint(zone.client, zone.scope, PHASE)).toEqual(written);
  });

  // There would be no rollback, and what somebody else wrote beside a run could not be told or brought back.
  test('versions stay readable with their rules, and none is left out (api.md 6.2)', async () => {
    const made = await entryPoint('a');
    const second = await put(made.id, [rule('b')]);
    const third = await put(made.id, []);
    const versions = await listVersions(zone.client, zone.scope, made.id);
    expect(versions).toEqual([made, second, third].map(headOf));
    expect(await getVersion(zone.client, zone.scope, made.id, '1')).toEqual(made);
    expect(await getVersion(zone.client, zone.scope, made.id, '2')).toEqual(second);
  });
});

function headOf({ rules: _rules, ...head }: LiveRuleset): LiveRulesetHead {
  return head;
}

describe('writes', { timeout: PATIENCE }, () => {
  // Somebody else's write between plan and apply, or beside our own, would not be seen.
  test('each kind of write makes version + 1 and moves last_updated (api.md 0.3 number 7, 6.2)', async () => {
    const made = await entryPoint('a', 'b');
    const at = { scope: zone.scope, rulesetId: made.id };
    const a = { ...at, ruleId: idOf(made, 'a') };
    const writes: readonly (() => Promise<LiveRuleset | null>)[] = [
      () => addRule(zone.client, at, rule('c')),
      () => updateRule(zone.client, a, rule('a', { description: 'Changed' })),
      () => updateRule(zone.client, a, null, { after: '' }),
      () => deleteRule(zone.client, a),
      () => put(made.id, [rule('d')]),
      () => updateRuleset(zone.client, zone.scope, made.id, { description: `${made.description}, changed` }),
      // That one which changes nothing counts as well is assumed.
      () => put(made.id, [rule('d')]),
    ];
    const moments = [made];
    for (const write of writes) {
      await write();
      moments.push(await read(made.id));
    }
    expect(moments.map(({ version }) => version)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect(new Set(moments.map(({ lastUpdated }) => lastUpdated)).size).toBe(moments.length);
  });

  // Two runs at once would make a phase twice, or the later one would replace the work of the first.
  test('a second entry point is refused with code 20217, and the first stays (api.md 0.3 number 11, 1.6)', async () => {
    const made = await entryPoint('a');
    const refused = await serviceError(entryPoint('b'));
    expect([refused.status, codes(refused)]).toEqual([400, [20217]]);
    expect(await read(made.id)).toEqual(made);
  });

  // A write of our rules would rewrite those of others, and undo what was changed in them since the plan.
  test('an entry of only {id} in a PUT keeps its rule to the letter, also in another place (api.md 0.3 number 2)', async () => {
    const made = await entryPoint('a', 'b');
    const [a, b] = await wireRules(made.id);
    await put(made.id, [{ id: idOf(made, 'b') }, rule('c'), { id: idOf(made, 'a') }]);
    const [first, , third] = await wireRules(made.id);
    expect([first, third]).toEqual([b, a]);
  });

  // Rules would change their ids with each edit, and rules that skip them, their analytics and their history would be lost.
  test('a rule keeps its id in a PUT that names it by id or by ref; one that no entry names goes (api.md 6.1)', async () => {
    const made = await entryPoint('a', 'b', 'c');
    const { ref: _ref, ...byId } = rule('a', { id: idOf(made, 'a'), description: 'By id' });
    const after = await put(made.id, [rule('d'), rule('b', { description: 'By ref' }), byId]);
    expect(names(after)).toEqual(['d', 'b', 'a']);
    expect([idOf(after, 'b'), idOf(after, 'a')]).toEqual([idOf(made, 'b'), idOf(made, 'a')]);
    expect(after.rules.map(({ content }) => content.description)).toEqual(['', 'By ref', 'By id']);
    expect(made.rules.map(({ id }) => id)).not.toContain(idOf(after, 'd'));
  });

  // Who gives a rule a name would have it deleted and made anew, under another id.
  test('a rule that is written by its id under another ref keeps its id (api.md 6.1, assumed)', async () => {
    const made = await entryPoint('a', 'b', 'c');
    const at = { scope: zone.scope, rulesetId: made.id, ruleId: idOf(made, 'a') };
    const renamed = await updateRule(zone.client, at, rule('renamed'));
    const { ref: _ref, ...again } = rule('b', { id: idOf(made, 'b') });
    const after = await put(made.id, [
      { id: at.ruleId },
      { ...again, ref: `${zone.mark}-named` },
      { id: idOf(made, 'c') },
    ]);
    expect([names(renamed), names(after)]).toEqual([
      ['renamed', 'b', 'c'],
      ['renamed', 'named', 'c'],
    ]);
    const ids = made.rules.map(({ id }) => id);
    expect([renamed, after].map(({ rules }) => rules.map(({ id }) => id))).toEqual([ids, ids]);
  });

  // A rule that somebody deleted meanwhile would come back without its definition, or the rest be written without it.
  test('a PUT with an id that no rule has is refused whole (api.md 6.1, assumed)', async () => {
    const made = await entryPoint('a');
    const refused = await serviceError(put(made.id, [rule('b'), { id: ABSENT_RULE_ID }]));
    expect([refused.status, refused.effect]).toEqual([400, 'none']);
    expect(await read(made.id)).toEqual(made);
  });

  // A POST that is sent again, because its answer was lost, would add the rule twice.
  test('a rule with a ref that another one has is refused (api.md 0.3 number 1, 6.1, assumed)', async () => {
    const made = await entryPoint('a');
    const twice = addRule(zone.client, { scope: zone.scope, rulesetId: made.id }, rule('a'));
    const refused = await serviceError(twice);
    expect([refused.status, refused.effect]).toEqual([400, 'none']);
    expect(await read(made.id)).toEqual(made);
  });

  // Half a list would be live; and a refusal that names no rule could not be led back to the files.
  test('an expression that does not parse is refused with code 20127, and the list with it (api.md 1.6, 6.4; the code assumed)', async () => {
    const made = await entryPoint('a');
    const expression = 'http.no_such_field eq "x"';
    const refused = await serviceError(put(made.id, [rule('b'), rule('c', { expression })]));
    expect([refused.status, codes(refused), refused.effect]).toEqual([400, [20127], 'none']);
    expect(refused.errors[0]?.pointer?.startsWith('/rules/1/') ?? refused.message.includes(expression)).toBe(
      true,
    );
    expect(await read(made.id)).toEqual(made);
  });

  // A rule would land behind one that ends the request before it.
  test('a rule goes where before and after say, the others keep their order (api.md 3.3)', async () => {
    const made = await entryPoint('a', 'b');
    const at = { scope: zone.scope, rulesetId: made.id };
    const [a, b] = [idOf(made, 'a'), idOf(made, 'b')];
    expect(names(await addRule(zone.client, at, rule('first'), { before: '' }))).toEqual(['first', 'a', 'b']);
    expect(names(await addRule(zone.client, at, rule('c'), { after: a }))).toEqual(['first', 'a', 'c', 'b']);
    const move = { ...at, ruleId: b };
    expect(names(await updateRule(zone.client, move, null, { before: a }))).toEqual(['first', 'b', 'a', 'c']);
    expect(names(await updateRule(zone.client, move, null, { after: '' }))).toEqual(['first', 'a', 'c', 'b']);
  });

  // A field that the files take away would stay live; and a colleague's edit of another rule would be lost.
  test('a PATCH replaces the definition of its rule, and leaves all others as they are (api.md 0.3 number 6)', async () => {
    const made = await entryPoint('a', 'b');
    const [, b] = await wireRules(made.id);
    const at = { scope: zone.scope, rulesetId: made.id, ruleId: idOf(made, 'a') };
    await updateRule(zone.client, at, rule('a', { description: 'To be taken away' }));
    const after = await updateRule(zone.client, at, rule('a', { action: 'managed_challenge' }));
    expect(after.rules[0]).toMatchObject({
      id: at.ruleId,
      content: { action: 'managed_challenge', description: '' },
    });
    expect((await wireRules(made.id))[1]).toEqual(b);
  });

  // A deletion that is sent again would count as failed, or hit another rule; and dry runs could not be tried without harm.
  test('the deletion of a rule that is not there answers 404 and changes nothing (api.md 1.4)', async () => {
    const made = await entryPoint('a', 'b');
    const at = { scope: zone.scope, rulesetId: made.id, ruleId: idOf(made, 'a') };
    await deleteRule(zone.client, at);
    const after = await read(made.id);
    expect(names(after)).toEqual(['b']);
    expect(isNotFound(await serviceError(deleteRule(zone.client, at)))).toBe(true);
    expect(await read(made.id)).toEqual(after);
  });
});

describe('dry runs', { timeout: PATIENCE }, () => {
  // Not known to be honoured, no dry run is sent: there would be no preflight at all.
  test('a wrong value of dry_run is answered 400, where the right one is 404 (api.md 2.4, 13.4, assumed)', async () => {
    const { id } = await entryPoint('a');
    expect(await probeDryRun(dryRunOf(zone.client), zone.scope, id)).toBe('honoured');
  });

  // The preflight, and apply --dry-run, would write.
  test('dry_run=true stores nothing, and answers without a result (api.md 0.3 number 9, 2.4)', async () => {
    const made = await entryPoint('a');
    const dry = dryRunOf(zone.client);
    const ruleAt = { scope: zone.scope, rulesetId: made.id, ruleId: idOf(made, 'a') };
    await dryRun(dry, updateRulesetRequest(zone.scope, made.id, { rules: [] }));
    await dryRun(dry, deleteRuleRequest(ruleAt));
    await dryRun(dry, deleteRulesetRequest(zone.scope, made.id));
    expect(await read(made.id)).toEqual(made);
  });

  // The preflight would promise what the service refuses, and a run would stop halfway.
  test('dry_run=true refuses what the write is refused for, in the same words (api.md 2.4)', async () => {
    const { id } = await entryPoint('a');
    const request = updateRulesetRequest(zone.scope, id, {
      rules: [rule('b', { action: 'no_such_action' })],
    });
    const tried = await serviceError(dryRun(dryRunOf(zone.client), request));
    const sent = await serviceError(zone.client.send(request));
    expect([tried.status, tried.errors]).toEqual([sent.status, sent.errors]);
  });
});

describe('custom rulesets', { timeout: PATIENCE }, () => {
  // So a creation that nobody answered is not sent again. Otherwise nothing would break: that care would be needless.
  test('two of one phase may have one name (assumed)', async ({ skip }) => {
    skip(zone.scope.plan === 'free', 'a Free zone has room for one custom ruleset');
    const name = `${zone.mark} twins`;
    const [one, other] = [
      await zone.make({ name, kind: 'custom' }),
      await zone.make({ name, kind: 'custom' }),
    ];
    const listed = (await listRulesets(zone.client, zone.scope)).filter((head) => head.name === name);
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([one.id, other.id]));
  });

  // A rule would execute nothing, and what it protects would be open.
  test('one that a rule executes cannot be deleted (api.md 0.3 number 19)', async () => {
    const custom = await zone.make({ name: `${zone.mark} used`, kind: 'custom', rules: [rule('inner')] });
    const execute = { action: 'execute', action_parameters: { id: custom.id } };
    await zone.make({ name: 'default', kind: 'zone', rules: [rule('outer', execute)] });
    const refused = await serviceError(deleteRuleset(zone.client, zone.scope, custom.id));
    expect([refused.status, refused.effect]).toEqual([400, 'none']);
    expect(await read(custom.id)).toEqual(custom);
  });
});
