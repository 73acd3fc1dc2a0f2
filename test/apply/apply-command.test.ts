import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/network/clock.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import type { Ended, Setting } from '../cli/in-process.ts';
import { rulewright } from '../cli/in-process.ts';
import { createFakeClock } from '../fake-clock.ts';
import { fillDisk } from '../full-disk.ts';
import type { Fault, FaultProxy } from './campaign/fault-proxy.ts';
import { openFaultProxy } from './campaign/fault-proxy.ts';

// Runs the commands as a user types them, with a proxy between them and the service.

let emulator: Emulator;
let proxy: FaultProxy;
let folder: string;
let control: AbortController;
/** What happens to a request; reset for each test. */
let decide: (request: { readonly method: string; readonly path: string; readonly writes: number }) => Fault;

beforeEach(async () => {
  emulator = await startEmulator({ budget: 'off' });
  control = new AbortController();
  decide = () => ({ kind: 'pass' });
  let writes = 0;
  proxy = await openFaultProxy(emulator.baseUrl, ({ method, path }) => {
    writes += method !== 'GET' && !path.includes('dry_run') ? 1 : 0;
    return decide({ method, path, writes });
  });
  folder = await mkdtemp(join(tmpdir(), 'rulewright-apply-'));
  await mkdir(join(folder, 'zones'));
  await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await project({ 'blog-1': 'ssl' });
});
afterEach(async () => {
  await proxy.close();
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** One zone with two phases: blocks by name and expression, and a rate limit that never changes. */
async function project(rules: Readonly<Record<string, string>>): Promise<void> {
  const blocks = Object.entries(rules).map(
    ([ref, expression]) => `      - ref: ${ref}\n        expression: ${expression}\n        action: block\n`,
  );
  await writeFile(
    join(folder, 'zones', 'blog.example.yaml'),
    `zone: blog.example
entrypoints:
  http_request_firewall_custom:
    rules:
${blocks.join('')}  http_ratelimit:
    rules:
      - ref: comments
        expression: http.request.uri.path contains "/comments"
        action: block
        ratelimit:
          characteristics: [ip.src, cf.colo.id]
          period: 60
          requests_per_period: 10
          mitigation_timeout: 600
`,
  );
}

function run(...argv: readonly string[]): Promise<Ended> {
  return runWith({}, ...argv);
}

function runWith(setting: Setting, ...argv: readonly string[]): Promise<Ended> {
  return rulewright(argv, {
    cwd: folder,
    env: { CLOUDFLARE_BASE_URL: proxy.baseUrl, CLOUDFLARE_API_TOKEN: emulator.token },
    signal: control.signal,
    ...setting,
  });
}

async function sent(): Promise<readonly { method: string; path: string; wrote: boolean }[]> {
  const answer = await fetch(`${emulator.controlUrl}/requests`);
  await fetch(`${emulator.controlUrl}/requests`, { method: 'DELETE' });
  return (await answer.json()) as { method: string; path: string; wrote: boolean }[];
}

const journalFile = () => join(folder, '.rulewright', 'journal.jsonl');

describe('plan --preflight', () => {
  it('checks the writes with the service, writes nothing, and exits 0 if all of them pass', async () => {
    const { code, stdout, stderr } = await run('plan', '--preflight');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Preflight of 2 steps: 2 passed.')]);
    expect(stderr).toContain('plan: about 3 requests\n');
    expect((await sent()).filter(({ wrote }) => wrote)).toEqual([]);
  });

  it('exits 1 and names rule, file and line if the service would refuse a write', async () => {
    await project({ good: 'ssl', bad: 'http.request.body.raw contains "x"' });
    const { code, stdout } = await run('plan', '--preflight', '--quiet');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /refused {6}zone:blog\.example\/http_request_firewall_custom\n {6}bad {2}zones\/blog\.example\.yaml:8\n/,
    );
    expect((await sent()).filter(({ wrote }) => wrote)).toEqual([]);
  });

  it('prints one JSON value with plan and preflight', async () => {
    const { stdout } = await run('plan', '--preflight', '--quiet', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'checked-plan',
      plan: { kind: 'plan' },
      preflight: { kind: 'done', steps: [{ kind: 'passed' }, { kind: 'passed' }] },
    });
  });
});

describe('apply', () => {
  it('sends as many requests as it announces', async () => {
    const { code, stderr } = await run('apply', '--yes');
    expect(code).toBe(0);
    const told = (work: string) =>
      Number(new RegExp(`^${work}: about (\\d+) requests`, 'm').exec(stderr)?.[1]);
    expect((await sent()).length).toBe(told('plan') + told('apply'));
    expect((await run('plan', '--quiet', '--exit-code')).code).toBe(0);
  });

  it('writes nothing and exits 1 if the preflight fails', async () => {
    await project({ good: 'ssl', bad: 'http.request.body.raw contains "x"' });
    const { code, stdout } = await run('apply', '--yes', '--quiet');
    expect(code).toBe(1);
    expect(stdout).toContain('apply/preflight');
    expect(stdout).toContain('bad  zones/blog.example.yaml:8');
    expect(stdout).toContain('other steps did not pass the preflight, so nothing was written');
    expect((await sent()).filter(({ wrote }) => wrote)).toEqual([]);
  });

  it('sends no dry run with --preflight off, and fails at the write that is refused', async () => {
    await project({ good: 'ssl', bad: 'http.request.body.raw contains "x"' });
    const { code, stdout } = await run('apply', '--yes', '--quiet', '--preflight', 'off', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ preflight: { kind: 'off' } });
    expect((await sent()).filter(({ path }) => path.includes('dry_run'))).toEqual([]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('"rule": "bad"')]);
  });

  it('exits 130 if it is interrupted before the first write', async () => {
    decide = ({ path }) =>
      path.includes('dry_run') ? { kind: 'meanwhile', act: interrupt } : { kind: 'pass' };
    const { code, stderr } = await run('apply', '--yes');
    expect([code, stderr]).toEqual([130, expect.stringContaining('Interrupted. Nothing was written.')]);
    expect((await sent()).filter(({ wrote }) => wrote)).toEqual([]);
  });

  it('finishes its first write and exits 4 if it is interrupted during that write', async () => {
    decide = ({ writes }) => (writes === 1 ? { kind: 'meanwhile', act: interrupt } : { kind: 'pass' });
    const { code, stdout, stderr } = await run('apply', '--yes', '--quiet');
    expect([code, stdout]).toEqual([4, expect.stringContaining('the run was interrupted')]);
    expect(stderr).toContain('finishing the current write, then stopping. Interrupt again to stop now');
    expect((await sent()).filter(({ wrote }) => wrote).length).toBe(1);
    control = new AbortController();
    decide = () => ({ kind: 'pass' });
    expect((await run('apply', '--yes', '--quiet')).code).toBe(0);
    expect((await run('plan', '--quiet', '--exit-code')).code).toBe(0);
  });

  it('reports the error that ended it, although it was interrupted before', async () => {
    const output = join(folder, 'outcomes.json');
    decide = ({ writes }) =>
      writes === 1
        ? {
            kind: 'meanwhile',
            act: () =>
              interrupt()
                .then(() => mkdir(output))
                .then(() => undefined),
          }
        : { kind: 'pass' };
    const { code, stderr } = await run('apply', '--yes', '--format', 'json', '--output', output);
    expect((await sent()).filter(({ wrote }) => wrote).length).toBe(1);
    expect([code, stderr]).toEqual([1, expect.stringContaining('error output/refused')]);
    expect(stderr).not.toContain('Nothing was written');
  });

  it('records its end in the journal, and no token', async () => {
    await run('apply', '--yes', '--quiet');
    const text = await readFile(journalFile(), 'utf8');
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      kind: 'end',
      result: 'done',
    });
    expect(text).not.toContain(emulator.token);
  });

  it('reports its writes if the disk is full when its end is recorded, and the next run closes the matter', async () => {
    const makeRoom = await fillDisk((text) => text.includes('"kind":"end"'));
    const { code, stdout, stderr } = await run('apply', '--yes', '--format', 'json');
    makeRoom();
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { result: 'done', outcomes: [{}, {}] }]);
    expect(stderr).toContain('ENOSPC');
    expect(stderr).toContain('The next run will say that this one did not finish.');
    expect((await run('apply', '--yes')).stderr).toContain('An earlier apply did not finish.');
    expect((await run('apply', '--yes')).stderr).not.toContain('An earlier apply');
  });

  it('reports that a write was done if the disk is full when its result is recorded', async () => {
    const makeRoom = await fillDisk((text) => /"kind":"(landed|end)"/.test(text));
    const { code, stdout } = await run('apply', '--yes', '--quiet', '--format', 'json');
    makeRoom();
    const { outcomes } = JSON.parse(stdout) as {
      readonly outcomes: readonly { readonly message?: string }[];
    };
    expect([code, outcomes]).toMatchObject([
      4,
      [{ kind: 'failed', code: 'apply/journal', writes: 1 }, { kind: 'not-reached' }],
    ]);
    expect(outcomes[0]?.message).toContain('The write before it was done.');
    expect((await run('apply', '--yes', '--quiet')).code).toBe(0);
    expect((await run('plan', '--quiet', '--exit-code')).code).toBe(0);
  });

  it('reports once what a crashed run had done', async () => {
    await run('apply', '--yes', '--quiet');
    await crash();
    await appendFile(journalFile(), '{"at":1,"run":"x","ki');
    const told = await run('apply', '--yes');
    expect(told.stderr).toContain('An earlier apply did not finish.');
    expect(told.stderr.match(/^ {2}done {9}zone:blog\.example/gm)?.length).toBe(2);
    expect([told.code, told.stdout]).toEqual([0, expect.stringContaining('No changes')]);
    expect((await run('apply', '--yes')).stderr).not.toContain('An earlier apply');
  });

  describe('after a crash with a write under way', () => {
    /** The waits of the run, in milliseconds. */
    let waits: readonly number[];
    let sentAt: number;
    beforeEach(async () => {
      waits = [];
      await run('apply', '--yes', '--quiet');
      await project({ 'blog-1': 'http.host eq "sent.example"' });
      decide = ({ method }) => ({ kind: method === 'GET' ? 'pass' : 'cut-before' });
      await runWith({ clock: createFakeClock() }, 'apply', '--yes', '--quiet');
      decide = () => ({ kind: 'pass' });
      const lines = (await readFile(journalFile(), 'utf8')).trimEnd().split('\n');
      const sent = lines.findLastIndex((line) => line.includes('"kind":"run"')) + 2;
      await writeFile(journalFile(), `${lines.slice(0, sent).join('\n')}\n`);
      sentAt = (JSON.parse(lines[sent - 1] ?? '') as { readonly at: number }).at;
    });

    /** A clock on which waiting takes no time; `land` is called in the second wait. */
    function landing(land: () => Promise<unknown>): Clock {
      let time = sentAt;
      return {
        now: () => time,
        sleep: async (ms) => {
          waits = [...waits, ms];
          time += ms;
          await (waits.length === 2 ? land() : undefined);
        },
      };
    }

    /** Makes the write of the crashed run take effect, as the journal has it. */
    async function landLate(): Promise<void> {
      const text = (await readFile(journalFile(), 'utf8')).trimEnd().split('\n').at(-1) ?? '';
      const { write } = JSON.parse(text) as {
        readonly write: { readonly id: string; readonly ruleId: string; readonly rule: unknown };
      };
      const headers = { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json' };
      const zones = await fetch(`${emulator.baseUrl}/zones?name=blog.example`, { headers });
      const { result } = (await zones.json()) as { readonly result: readonly { readonly id: string }[] };
      const url = `${emulator.baseUrl}/zones/${result[0]?.id}/rulesets/${write.id}/rules/${write.ruleId}`;
      const { status } = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(write.rule) });
      expect(status).toBe(200);
    }

    it('waits for the write before it plans, and so undoes it if the files no longer want it', async () => {
      await project({ 'blog-1': 'ssl' });
      const { code, stdout, stderr } = await runWith({ clock: landing(landLate) }, 'apply', '--yes');
      expect([code, waits]).toEqual([0, [5000, 5000]]);
      expect(stderr).toContain('may still take effect: waiting for it');
      expect(stdout).toContain('http.host eq "sent.example"');
      expect((await run('plan', '--quiet', '--exit-code')).code).toBe(0);
    });

    it('waits a minute for a write that never lands, and then goes on', async () => {
      const { code } = await runWith({ clock: landing(() => Promise.resolve()) }, 'apply', '--yes');
      expect([code, waits.length]).toEqual([0, 12]);
      expect((await run('plan', '--quiet', '--exit-code')).code).toBe(0);
    });

    it('does not wait in a dry run, and reports the write as in doubt', async () => {
      const { stderr } = await runWith({ clock: landing(landLate) }, 'apply', '--dry-run', '--yes');
      expect([waits, stderr]).toEqual([[], expect.stringContaining('in doubt     zone:blog.example/')]);
    });
  });

  it('reports a crashed shard until that shard has run again', async () => {
    const [own, other] = await shardsOfBlog();
    await run('apply', '--yes', '--quiet', ...own);
    await crash();
    const told = 'An earlier apply did not finish.';
    expect((await run('apply', '--yes', ...other)).stderr).toContain(told);
    expect((await run('apply', '--yes', ...own)).stderr).toContain(told);
    expect((await run('apply', '--yes', ...own)).stderr).not.toContain(told);
  });

  /** Cuts the journal as if the process had been killed after it sent its last write, before it got the answer. */
  async function crash(): Promise<void> {
    const text = await readFile(journalFile(), 'utf8');
    const untilLastWrite = text.trimEnd().split('\n').slice(0, -2);
    await writeFile(journalFile(), `${untilLastWrite.join('\n')}\n`);
  }

  /** The flags for the shard with the zone, and for the shard without it. */
  async function shardsOfBlog(): Promise<readonly [own: readonly string[], other: readonly string[]]> {
    const [one, two] = [
      ['--shard', '1/2'],
      ['--shard', '2/2'],
    ] as const;
    const first = await run('plan', '--format', 'json', ...one);
    return first.stdout.includes('"name":"blog.example"') ? [one, two] : [two, one];
  }
});

function interrupt(): Promise<void> {
  control.abort();
  return Promise.resolve();
}
