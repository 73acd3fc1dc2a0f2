import { expect, onTestFinished, test } from 'vitest';
import { createListRequest, listLists } from '../../src/api/lists.ts';
import type { CreateRuleset } from '../../src/api/ruleset-requests.ts';
import { listRulesets } from '../../src/api/rulesets.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import type { RequestRecord } from '../../src/emulator/index.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';
import { everythingIn } from '../api/caught.ts';
import { createRuleset } from '../api/ruleset-writes.ts';
import { openScratchAccount } from './scratch-lists.ts';
import { openScratchZone, PHASE } from './scratch-zone.ts';
import type { ScratchZone } from './scratch-zone.ts';

/** Starts an embedded service that stands for the real one. */
async function realService() {
  const rulesets = [{ kind: 'zone', phase: PHASE, rules: [{ action: 'block', expression: 'false' }] }];
  const emulator = await startEmulator({
    seed: {
      version: 1,
      accounts: [{ name: 'Real' }],
      zones: [
        { name: 'taken.example', plan: 'pro', rulesets },
        { name: 'free.example', plan: 'pro' },
      ],
    },
  });
  onTestFinished(() => emulator.close());
  const env = (zone: string) => ({
    RULEWRIGHT_CONTRACT_ZONE: zone,
    CLOUDFLARE_API_TOKEN: emulator.token,
    CLOUDFLARE_BASE_URL: emulator.baseUrl,
  });
  const open = (zone: string, more: Readonly<Record<string, string>> = {}): Promise<ScratchZone> =>
    openScratchZone({ ...env(zone), ...more });
  const written = async (): Promise<number> => {
    const answer = await fetch(`${emulator.controlUrl}/requests`);
    const requests = (await answer.json()) as readonly RequestRecord[];
    return requests.filter(({ wrote }) => wrote).length;
  };
  return { env, open, written };
}

test('openScratchZone refuses a zone with an entry point of the phase, and writes nothing to it', async () => {
  const { open, written } = await realService();
  await expect(open('taken.example')).rejects.toThrow(`taken.example has an entry point of ${PHASE}`);
  expect(await written()).toBe(0);
});

test('openScratchZone refuses a zone with rulesets that a stopped run left behind, and names them', async () => {
  const { open } = await realService();
  const zone = await open('free.example');
  const left = await createRuleset(zone.client, zone.scope, {
    name: 'default',
    kind: 'zone',
    phase: PHASE,
    description: zone.mark,
  });
  await expect(open('free.example')).rejects.toThrow(
    `that a stopped run left behind, delete them first: ${left.id} (${zone.mark})`,
  );
  await zone.close();
});

test('openScratchZone needs a token for a real service', async () => {
  const { open } = await realService();
  await expect(open('free.example', { CLOUDFLARE_API_TOKEN: '' })).rejects.toThrow(
    'CLOUDFLARE_API_TOKEN is needed',
  );
});

test('openScratchZone does not show a token that the service refuses', async () => {
  const { open } = await realService();
  const token = 'a-token-that-nobody-may-see';
  const error = await open('free.example', { CLOUDFLARE_API_TOKEN: token }).catch(
    (refusal: unknown) => refusal,
  );
  expect(error).toMatchObject({ code: 'api/forbidden' });
  expect(everythingIn(error)).not.toContain(token);
});

test('close deletes rulesets with the mark of the run that make did not create, and none of others', async () => {
  const { open, written } = await realService();
  const zone = await open('free.example');
  const make = (name: string, body: Partial<CreateRuleset>): Promise<LiveRuleset> =>
    createRuleset(zone.client, zone.scope, { name, kind: 'custom', phase: PHASE, ...body });
  const theirs = await make('Theirs', { description: 'Theirs' });
  const { id } = await make('Ours', { description: zone.mark });
  const execute = { action: 'execute', expression: 'false', action_parameters: { id } };
  await make('default', { kind: 'zone', description: `${zone.mark}, changed`, rules: [execute] });
  await zone.close();
  expect(await written()).toBe(5);
  expect(zone.report()).toMatch(/^\d+ requests to free\.example at http/);

  const next = await open('free.example');
  const left = (await listRulesets(next.client, next.scope)).filter(({ kind }) => kind !== 'managed');
  expect(left.map((ruleset) => ruleset.id)).toEqual([theirs.id]);
  await next.close();
});

test('an account with a list that a stopped run left behind is refused, and close deletes lists with the mark of the run alone', async () => {
  const { env } = await realService();
  const account = await openScratchAccount(env('free.example'));
  const { client, mark, scope } = account.zone;
  const make = (name: string, kind: 'ip' | 'redirect', description: string): Promise<unknown> =>
    client.send(createListRequest(scope.accountId, { name, kind, description }));
  await make('theirs', 'ip', 'Theirs');
  await make('left', 'redirect', mark);
  await expect(openScratchAccount(env('free.example'))).rejects.toThrow(
    'a stopped run left behind, delete it first: left',
  );
  await account.close();
  const next = await openScratchAccount(env('free.example'));
  expect((await listLists(next.zone.client, scope.accountId)).map(({ name }) => name)).toEqual(['theirs']);
  await next.close();
});
