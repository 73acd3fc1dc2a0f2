import { afterEach, expect, test } from 'vitest';
import type { WavesProject } from './waves-project.ts';
import { openWavesProject, zoneFile } from './waves-project.ts';

let project: WavesProject;
afterEach(() => project.close());

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly wrote: boolean;
}

/** Returns what was written since the last call, in order: whose it is. */
async function written(): Promise<readonly string[]> {
  const url = `${project.emulator.controlUrl}/requests`;
  const sent = (await (await fetch(url)).json()) as readonly SentRequest[];
  await fetch(url, { method: 'DELETE' });
  return sent.flatMap(({ method, path, wrote }) =>
    wrote ? [`${method} ${/\/(zones|accounts)/u.exec(path)?.[1] ?? path}`] : [],
  );
}

const account = (body: string): string => `account: Example Shop\n${body}`;
const LIST = 'lists: [{ name: bad, kind: ip, items: [192.0.2.1] }]\n';

test('accounts are a wave before the zones, and what goes of them is one after', async () => {
  project = await openWavesProject('  waves: [{ scopes: [shop.example] }, { share: 100% }]\n');
  await project.write('accounts/shop.yaml', account(LIST));
  await project.write('zones/shop.example.yaml', zoneFile('shop.example', 'ip.src in $bad'));
  const plan = await project.run(['plan', '--format', 'json']);
  expect(JSON.parse(plan.stdout)).toMatchObject({
    rollout: {
      waves: [
        { number: 0, kind: 'accounts-before', scopes: ['account:Example Shop'] },
        { number: 1, scopes: ['zone:shop.example'] },
        { number: 2 },
        { number: 3, kind: 'accounts-after', scopes: ['account:Example Shop'] },
      ],
    },
  });
  await written();
  const first = await project.run(['apply', '--yes', '--until-wave', '1', '--allow', 'all']);
  expect([first.code, first.stderr]).toEqual([
    0,
    expect.stringContaining('wave 0 (accounts, before the zones)'),
  ]);
  expect((await written()).map((write) => write.replace('POST', 'PUT'))).toEqual([
    'PUT accounts',
    'PUT accounts',
    'PUT zones',
  ]);
  expect((await project.run(['apply', '--yes', '--allow', 'all'])).code).toBe(0);
  await written();
  // The list goes once no zone names it any more.
  await project.write('accounts/shop.yaml', account('lists: [{ name: bad, kind: ip, absent: true }]\n'));
  await project.write('zones/shop.example.yaml', zoneFile('shop.example', 'ssl'));
  const second = await project.run(['apply', '--yes', '--allow', 'all']);
  expect([second.code, second.stderr]).toEqual([
    0,
    expect.stringContaining('wave 3 (accounts, what goes or weakens)'),
  ]);
  expect((await written()).map((write) => write.split(' ')[1])).toEqual(['zones', 'accounts']);
});
