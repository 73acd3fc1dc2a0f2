import { describe, expect, onTestFinished, test } from 'vitest';
import { decodeRulesetHeads } from '../../src/api/decode-ruleset.ts';
import { readByCursor } from '../../src/api/pages.ts';
import type { ScopeAddress } from '../../src/api/paths.ts';
import { resolveScope } from '../../src/api/resolve-scope.ts';
import { getEntrypoint, getRuleset, getVersion, listRulesets, listVersions } from '../../src/api/rulesets.ts';
import { hasServiceCode, isNotFound } from '../../src/api/service-error.ts';
import { verifyToken } from '../../src/api/tokens.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';
import {
  addRule,
  createRuleset,
  deleteRule,
  deleteRuleset,
  deleteRulesetVersion,
  updateEntrypoint,
  updateRule,
  updateRuleset,
} from './ruleset-writes.ts';
import { serviceError } from './caught.ts';
import { openWriter } from './open.ts';

const PHASE = 'http_request_firewall_custom';

async function start() {
  const emulator = await startEmulator({ budget: 'off' });
  onTestFinished(() => emulator.close());
  const token = (value: string) => ({ kind: 'token', token: value }) as const;
  const { client } = openWriter(emulator.baseUrl, { credentials: token(emulator.token) });
  const stranger = openWriter(emulator.baseUrl, { credentials: token('no-such-token') }).client;
  const zone: ScopeAddress = await resolveScope(client, { kind: 'zone', name: 'blog.example' });
  const account: ScopeAddress = await resolveScope(client, { kind: 'account', name: 'Example Shop' });
  return { client, stranger, zone, account };
}

const rule = (ref: string) => ({ ref, action: 'block', expression: `http.host eq "${ref}.example"` });
const refs = ({ rules }: LiveRuleset): readonly string[] => rules.map(({ ref }) => ref);

describe('the API functions on the embedded service', () => {
  test('take an entry point from its creation to its deletion', async () => {
    const { client, zone } = await start();
    expect(await getEntrypoint(client, zone, PHASE)).toBeNull();

    const created = await createRuleset(client, zone, {
      name: 'default',
      kind: 'zone',
      phase: PHASE,
      rules: [rule('a')],
    });
    expect([created.version, refs(created)]).toEqual(['1', ['a']]);
    const again = createRuleset(client, zone, { name: 'default', kind: 'zone', phase: PHASE });
    expect(hasServiceCode(await serviceError(again), 20217)).toBe(true);

    const a = created.rules[0]?.id ?? '';
    const added = await addRule(client, { scope: zone, rulesetId: created.id }, rule('b'), { before: a });
    expect(refs(added)).toEqual(['b', 'a']);
    const moved = await updateRule(client, { scope: zone, rulesetId: created.id, ruleId: a }, null, {
      before: '',
    });
    expect(refs(moved)).toEqual(['a', 'b']);
    const patched = await updateRule(
      client,
      { scope: zone, rulesetId: created.id, ruleId: a },
      { ...rule('a'), enabled: false },
    );
    expect(patched.rules[0]).toMatchObject({ id: a, content: { enabled: false } });
    const put = await updateEntrypoint(client, zone, PHASE, { rules: [rule('c'), { id: a }] });
    expect([refs(put), put.rules[1]?.content.enabled, put.version]).toEqual([['c', 'a'], false, '5']);
    const described = await updateRuleset(client, zone, created.id, { description: 'Ours' });
    expect([described.description, refs(described)]).toEqual(['Ours', ['c', 'a']]);
    expect(
      refs((await deleteRule(client, { scope: zone, rulesetId: created.id, ruleId: a })) ?? described),
    ).toEqual(['c']);

    expect((await listVersions(client, zone, created.id)).map(({ version }) => version)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ]);
    expect(refs(await getVersion(client, zone, created.id, '2'))).toEqual(['b', 'a']);
    await deleteRulesetVersion(client, zone, created.id, '2');
    expect(isNotFound(await serviceError(getVersion(client, zone, created.id, '2')))).toBe(true);
    await deleteRuleset(client, zone, created.id);
    expect(isNotFound(await serviceError(getRuleset(client, zone, created.id)))).toBe(true);
    expect(await getEntrypoint(client, zone, PHASE)).toBeNull();
  });

  test('verify a valid token and refuse an unknown one', async () => {
    const { client, stranger } = await start();
    expect((await verifyToken(client)).status).toBe('active');
    expect((await serviceError(verifyToken(stranger))).code).toMatch(/^api\/(unauthorized|forbidden)$/);
  });

  test('read a list of rulesets that takes more than one page', async () => {
    const { client, account } = await start();
    const whole = await listRulesets(client, account);
    const items = await readByCursor(client, `/accounts/${account.id}/rulesets`, {
      perPage: 3,
      decode: decodeRulesetHeads,
    });
    expect(whole.length).toBeGreaterThan(3);
    expect(items).toEqual(whole);
  });
});
