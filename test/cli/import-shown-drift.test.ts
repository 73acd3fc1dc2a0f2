import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countedService } from './counted-service.ts';
import { rulewright } from './in-process.ts';

/** Somebody changes the description of a rule on the dashboard, at a request from now. */
const change = (nth: number, description: string) => ({
  nth,
  times: 1,
  effect: {
    kind: 'edit',
    scope: 'shop.example',
    phase: 'http_request_firewall_custom',
    change: { kind: 'patch', rule: 'block-admin', set: { description } },
  },
});

it('takes what was compared into the files, whatever somebody changes meanwhile, and reads nothing twice', async () => {
  const { root, emulator, env, clock, run } = await countedService();
  const fault = async (body: unknown): Promise<void> => {
    const url = `${emulator.controlUrl}/faults`;
    await fetch(url, { method: 'DELETE' });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
  };
  const changeNow = async (): Promise<void> => {
    await fault(change(1, 'Changed by hand'));
    await fetch(`${emulator.baseUrl}/zones`, { headers: { authorization: `Bearer ${emulator.token}` } });
  };
  const call = (...words: readonly string[]) => rulewright(words, { cwd: root, env, clock });
  const digestNow = async (): Promise<string> => {
    const { digest }: { digest: string } = JSON.parse((await call('drift', '--format', 'json')).stdout);
    return digest;
  };
  await call('import', '--zone', 'shop.example', '--account', 'Example Shop');
  const file = join(root, 'zones/shop.example.yaml');
  const before = await readFile(file, 'utf8');
  await changeNow();
  const digest = await digestNow();
  await fetch(`${emulator.controlUrl}/requests`, { method: 'DELETE' });
  const requests = await run(`import --discard --expect-drift ${digest}`);
  const after = await readFile(file, 'utf8');
  expect(after).toBe(before.replace(/(ref: block-admin\n\s+description: ).*/u, '$1Changed by hand'));
  // Who the scopes are is asked where it is needed; what they have, once.
  const asked = requests.map(({ path }) => path).filter((path) => /\/(?:rulesets|rules)\b/u.test(path));
  expect(asked.filter((one, at) => asked.indexOf(one) !== at)).toEqual([]);

  const ends = new Set<string>();
  for (let nth = 1; nth <= requests.length; nth += 1) {
    await writeFile(file, before);
    await changeNow();
    await fault(change(nth, 'And changed again'));
    const { code, stderr } = await call('import', '--discard', '--expect-drift', digest);
    const isRefused = stderr.includes('the drift is not the one that was shown');
    const text = await readFile(file, 'utf8');
    ends.add(
      `${code}${isRefused ? ' refused' : ''}: ${text === after ? 'as shown' : text === before ? 'as before' : text}`,
    );
  }
  expect([...ends].sort()).toEqual(['0: as shown', '3 refused: as before']);
});
