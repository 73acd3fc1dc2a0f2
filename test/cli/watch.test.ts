import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { startEmulator } from '../../src/emulator/index.ts';
import { holdFile } from '../../src/files/index.ts';
import { createFakeClock } from '../fake-clock.ts';
import type { Setting } from './in-process.ts';
import { rulewright } from './in-process.ts';

const ZONE = 'shop.example';

function git(folder: string, ...words: readonly string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@shop.example', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', ['-C', folder, ...identity, ...words], {
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}

/** A repository with a project, a clone of it that is watched, and a service with an empty zone. */
async function openCheckout() {
  const folder = await mkdtemp(join(tmpdir(), 'rulewright-watch-'));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 3 }));
  const [author, checkout] = [join(folder, 'author'), join(folder, 'checkout')];
  git(folder, 'init', '--quiet', 'author');
  const emulator = await startEmulator({
    budget: 'off',
    seed: {
      version: 1,
      accounts: [{ name: 'Shop' }],
      zones: [{ name: ZONE, account: 'Shop', plan: 'pro' }],
    },
  });
  onTestFinished(() => emulator.close());
  const push = async (rules: readonly string[], settings = ''): Promise<string> => {
    await writeFile(join(author, 'rulewright.yaml'), `version: 1\nfiles: [zone.yaml]\n${settings}`);
    const list = rules.map(
      (ref) => `    - { ref: ${ref}, action: block, expression: http.host eq "${ref}.example" }\n`,
    );
    const entry = `  http_request_firewall_custom:\n    rules:\n${list.map((line) => `  ${line}`).join('')}`;
    await writeFile(
      join(author, 'zone.yaml'),
      `zone: ${ZONE}\nentrypoints:\n${rules.length === 0 ? entry.replace('rules:\n', 'rules: []\n') : entry}`,
    );
    git(author, 'add', '.');
    git(author, 'commit', '--quiet', '--message', rules.join(' ') || 'none');
    return git(author, 'rev-parse', 'HEAD');
  };
  const live = async (): Promise<readonly string[]> => {
    const ask = async (path: string): Promise<unknown> =>
      (
        await fetch(emulator.baseUrl + path, { headers: { authorization: `Bearer ${emulator.token}` } })
      ).json();
    const zones = (await ask('/zones')) as { result: readonly { id: string }[] };
    const path = `/zones/${zones.result[0]?.id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
    const entry = (await ask(path)) as { result: { rules?: readonly { ref: string }[] } | null };
    return (entry.result?.rules ?? []).map(({ ref }) => ref);
  };
  return {
    folder,
    author,
    checkout,
    push,
    live,
    emulator,
    clone: () => git(folder, 'clone', '--quiet', 'author', 'checkout'),
  };
}

type Checkout = Awaited<ReturnType<typeof openCheckout>>;

/** Watches a checkout; after each round the next step is taken, and after the last one the watcher is interrupted. */
async function watchRounds(
  { checkout, emulator }: Checkout,
  flags: readonly string[],
  steps: readonly (() => unknown)[],
  { env = {}, onStdout }: Pick<Setting, 'env' | 'onStdout'> = {},
) {
  const stop = new AbortController();
  const clock = createFakeClock(Date.UTC(2026, 0, 5));
  const rest = [...steps];
  const sleep = clock.sleep.bind(clock);
  const waits: number[] = [];
  const ended = await rulewright(['watch', ...flags], {
    cwd: checkout,
    env: { CLOUDFLARE_BASE_URL: emulator.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token, ...env },
    signal: stop.signal,
    ...(onStdout === undefined ? {} : { onStdout }),
    clock: {
      now: () => clock.now(),
      sleep: async (ms, signal) => {
        // Only the watcher waits that long.
        if (ms < 10_000) {
          return sleep(ms, signal);
        }
        waits.push(ms / 1000);
        const step = rest.shift();
        if (step === undefined) {
          stop.abort();
        } else {
          await step();
        }
        return sleep(ms, signal);
      },
    },
  });
  return { ...ended, waits };
}

test('each commit of the branch is applied once it is there', async () => {
  const at = await openCheckout();
  await at.push(['a']);
  at.clone();
  const seen: (readonly string[])[] = [];
  const look = async () => seen.push(await at.live());
  const { code, stdout, stderr, waits } = await watchRounds(
    at,
    ['--apply', '--branch', 'main'],
    [
      async () => {
        await look();
        await at.push(['a', 'b']);
      },
      async () => {
        await look();
      },
    ],
  );
  expect(stderr).not.toContain('error');
  expect(code).toBe(0);
  expect(seen).toEqual([['a'], ['a', 'b']]);
  expect(waits).toEqual([300, 300, 300]);
  expect(stdout.match(/apply of [0-9a-f]{12}: live is as the files say/gu)).toHaveLength(3);
});

test('without --apply nothing is written, and a plan is shown when it is another one', async () => {
  const at = await openCheckout();
  await at.push(['a']);
  at.clone();
  const { stdout } = await watchRounds(
    at,
    ['--interval', '1m'],
    [() => undefined, () => at.push(['a', 'c'])],
  );
  expect(await at.live()).toEqual([]);
  expect(stdout.match(/plan of [0-9a-f]{12}: live differs from the files/gu)).toHaveLength(3);
  expect(stdout.match(/^\s*\+ .*\ba\b/gmu)).toHaveLength(2);
});

test('what a guard refuses is not applied again before the branch has a new commit', async () => {
  const at = await openCheckout();
  await at.push(['a', 'b', 'c']);
  at.clone();
  const { stdout } = await watchRounds(
    at,
    ['--apply', '--branch', 'main'],
    [
      () => at.push([], 'safety: { min_rules: 1, max_deleted: 1 }\n'),
      () => undefined,
      () => at.push(['a', 'b', 'c', 'd']),
    ],
  );
  expect(
    stdout.match(/(?:plan|apply) of .*|stopped(?=:)/gu)?.map((line) => line.replace(/of \w+/u, 'of X')),
  ).toEqual([
    'apply of X: live is as the files say',
    'apply of X: refused',
    'stopped',
    'plan of X: live differs from the files',
    'apply of X: live is as the files say',
  ]);
  expect(await at.live()).toEqual(['a', 'b', 'c', 'd']);
});

test('a watcher that starts again still knows what it stopped at, until somebody has looked', async () => {
  const at = await openCheckout();
  await at.push(['a', 'b', 'c']);
  at.clone();
  const flags = ['--apply', '--branch', 'main'];
  await watchRounds(at, flags, []);
  const commit = await at.push([], 'safety: { min_rules: 1, max_deleted: 1 }\n');
  const first = await watchRounds(at, flags, []);
  expect(first.stdout.replaceAll(/\s+/gu, ' ')).toContain('A watcher allows nothing by itself');
  const file = join(at.checkout, '.rulewright', 'journal.jsonl.stopped');
  const second = await watchRounds(at, flags, [() => rm(file)]);
  const rounds = second.stdout.match(/(?:plan|apply) of \w+: .*/gu);
  expect(rounds).toEqual([
    `plan of ${commit.slice(0, 12)}: live differs from the files`,
    `apply of ${commit.slice(0, 12)}: refused`,
  ]);
  expect(await readFile(file, 'utf8')).toBe(`${commit}\n`);
  await at.push(['a']);
  await watchRounds(at, [...flags, '--only-strengthening'], []);
  // What would delete or weaken is left out.
  expect(await at.live()).toEqual(['a', 'b', 'c']);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('a lease of Kubernetes needs a cluster', async () => {
  const at = await openCheckout();
  await at.push(['a']);
  at.clone();
  const lost = await watchRounds(at, ['--lease-name', 'edge/rulewright'], []);
  expect([lost.code, lost.stderr]).toEqual([
    64,
    expect.stringContaining('KUBERNETES_SERVICE_HOST is not set'),
  ]);
  const wrong = await watchRounds(at, ['--lease-name', '../x'], []);
  expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining('expected the name of a Lease')]);
});

test.each<[string, (at: Checkout) => unknown, RegExp]>([
  [
    'changed',
    ({ checkout }) => writeFile(join(checkout, 'zone.yaml'), 'zone: other.example\n'),
    /changes that no commit has: M zone\.yaml/,
  ],
  [
    'with a new file',
    ({ checkout }) => writeFile(join(checkout, 'more.yaml'), ''),
    /changes that no commit has: \?\? more\.yaml/,
  ],
  [
    'on another branch',
    ({ checkout }) => git(checkout, 'switch', '--quiet', '--create', 'mine'),
    /is on mine, not on main/,
  ],
  [
    'with commits of its own',
    ({ checkout }) => git(checkout, 'commit', '--quiet', '--allow-empty', '-m', 'x'),
    /commits that main at origin does not have/,
  ],
  [
    'whose branch was rewritten',
    ({ author }) => git(author, 'commit', '--quiet', '--amend', '-m', 'y'),
    /if that was rewritten, clone it again/,
  ],
  [
    'without its remote',
    ({ author }) => rm(author, { recursive: true }),
    /does not appear to be a git repository|does not exist/,
  ],
])('a checkout %s is not applied, and asked again later and later', async (_, disturb, why) => {
  const at = await openCheckout();
  await at.push(['a']);
  at.clone();
  await disturb(at);
  const { stdout, waits } = await watchRounds(
    at,
    ['--apply', '--branch', 'main'],
    [() => undefined, () => undefined],
  );
  expect(stdout).toMatch(why);
  expect(await at.live()).toEqual([]);
  expect(waits).toEqual([600, 1200, 2400]);
});

test('a watcher without the lease stands by, and takes over', async () => {
  const at = await openCheckout();
  await at.push(['a']);
  at.clone();
  const lease = join(at.folder, 'lease');
  const other = await holdFile(lease, () => Date.now());
  const seen: (readonly string[])[] = [];
  const { stdout } = await watchRounds(
    at,
    ['--apply', '--branch', 'main', '--lease', lease],
    [
      async () => {
        seen.push(await at.live());
        await (other.kind === 'held' ? other.release() : undefined);
      },
      async () => {
        seen.push(await at.live());
      },
    ],
  );
  expect(stdout).toContain('another watcher holds the lease; standing by');
  expect(seen).toEqual([[], ['a']]);
  const free = await holdFile(lease, () => Date.now());
  expect(free.kind).toBe('held');
  await (free.kind === 'held' ? free.release() : undefined);
});

test('health and metrics are served', async () => {
  const at = await openCheckout();
  await at.push(['a']);
  at.clone();
  const answers: string[] = [];
  let base = '';
  const ask = async (path: string, method = 'GET'): Promise<void> => {
    const answer = await fetch(base + path, { method });
    answers.push(`${answer.status} ${await answer.text()}`);
  };
  const stop = new AbortController();
  const clock = createFakeClock(Date.UTC(2026, 0, 5));
  let rounds = 0;
  await rulewright(['watch', '--apply', '--branch', 'main', '--listen', '0'], {
    cwd: at.checkout,
    env: { CLOUDFLARE_BASE_URL: at.emulator.baseUrl, CLOUDFLARE_API_TOKEN: at.emulator.token },
    signal: stop.signal,
    onStdout: (text) => {
      base = /status at (http:\/\/[\d.]+:\d+)/u.exec(text)?.[1] ?? base;
    },
    clock: {
      now: () => clock.now(),
      sleep: async (ms, signal) => {
        rounds += ms >= 10_000 ? 1 : 0;
        if (rounds === 1) {
          await ask('/healthz');
          await ask('/metrics');
          await ask('/metrics', 'POST');
          await ask('/');
          await rm(at.author, { recursive: true });
        } else if (rounds === 4) {
          await ask('/healthz');
          stop.abort();
        }
        return clock.sleep(ms, signal);
      },
    },
  });
  expect(answers[0]).toMatch(/^200 waiting, last round: well, at commit [0-9a-f]{40}\n$/u);
  expect(answers[1]).toContain('rulewright_watch_rounds_total{result="well"} 1\n');
  expect(answers[1]).toContain('rulewright_steps_total{command="apply",outcome="done"} 1\n');
  expect(answers[1]?.match(/# EOF/gu)).toHaveLength(1);
  expect(answers[2]).toMatch(/^404/u);
  expect(answers[3]).toMatch(/^404/u);
  expect(answers[4]).toBe('503 the last 3 rounds have failed\n');
});

test('the example for a cluster watches', async () => {
  const at = await openCheckout();
  await at.push(['a']);
  at.clone();
  const text = await readFile('examples/kubernetes/watch.yaml', 'utf8');
  const documents = parseAllDocuments(text).map((one): unknown => one.toJS());
  const deployment = documents.find((one) => (one as Deployment).kind === 'Deployment');
  const { args } = (deployment as Deployment).spec.template.spec.containers[0];
  // Here is no cluster: test/app/watch has the lease.
  const [command, ...flags] = args
    .filter((arg) => arg !== '--lease-name=rulewright-watch')
    .map((arg) => arg.replace('/state', at.folder).replace('0.0.0.0:9090', '0'));
  expect([command, flags.length]).toEqual(['watch', args.length - 2]);
  const { stdout } = await watchRounds(at, flags, []);
  expect(stdout).toContain('live is as the files say');
  expect(await readFile(join(at.folder, 'journal.jsonl'), 'utf8')).toContain(ZONE);
});

/** What the example says of its container. */
interface Deployment {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly [{ readonly args: readonly string[] }] };
    };
  };
}

test('a webhook begins a round, if it is signed', async () => {
  const at = await openCheckout();
  await at.push(['a']);
  at.clone();
  const secret = 'a-secret-of-the-webhook';
  let base = '';
  const send = async (signature: string | null, body = '{"ref":"refs/heads/main"}'): Promise<number> => {
    const answer = await fetch(`${base}/webhook`, {
      method: 'POST',
      body,
      ...(signature === null ? {} : { headers: { 'x-hub-signature-256': signature } }),
    });
    return answer.status;
  };
  const signed = (body: string, key = secret) =>
    `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  const statuses: number[] = [];
  const { stdout, waits } = await watchRounds(
    { ...at, checkout: at.checkout },
    ['--listen', '0', '--webhook'],
    [
      async () => {
        statuses.push(await send(null));
        statuses.push(await send(signed('{}')));
        statuses.push(await send(signed('{}', 'another-secret-than-that'), '{}'));
        statuses.push(await send('sha256=zz', '{}'));
        statuses.push(await send(signed('{}'), '{}'));
      },
      () => undefined,
    ],
    {
      env: { RULEWRIGHT_WATCH_SECRET: secret },
      onStdout: (text) => {
        base = /status at (http:\/\/[\d.]+:\d+)/u.exec(text)?.[1] ?? base;
      },
    },
  );
  expect(statuses).toEqual([401, 401, 401, 401, 202]);
  // The first wait is cut short, but for a little one.
  expect(waits).toEqual([300, 10, 300]);
  expect(stdout.match(/^\S+ plan of/gmu)).toEqual([
    '2026-01-05T00:00:00Z plan of',
    '2026-01-05T00:00:10Z plan of',
  ]);
  expect(stdout).not.toContain(secret);
});

test.each([
  [['--webhook'], /--webhook needs --listen/],
  [['--webhook', '--listen', '0'], /16 characters at least/],
  [['--apply'], /--apply needs --branch/],
  [['--interval', '1s'], /10s at least/],
  [['--remote', 'a b'], /name of a remote/],
  [['--listen', 'a:b'], /a port, or an address and a port/],
])('%j is refused', async (flags, why) => {
  const { code, stderr } = await rulewright(['watch', ...flags], { cwd: tmpdir() });
  expect(code).toBe(64);
  expect(stderr).toMatch(why);
});
