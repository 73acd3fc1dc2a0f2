import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan, ReplayDocument } from '../../src/model/index.ts';
import { copyExample } from '../copy-project.ts';
import { writeBlogProject } from './blog-project.ts';
import { shownAs } from '../docs/shown-output.ts';
import { rulewright } from './in-process.ts';

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-replay-'));
  await copyExample('shop', cwd);
});
afterAll(() => rm(cwd, { recursive: true }));

const BLOG = ['--emulator', '--target', 'zone:blog.example'];

async function replayed(...args: readonly string[]): Promise<ReplayDocument> {
  const { code, stdout, stderr } = await rulewright(['replay', ...args, '--format', 'json'], { cwd });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  return JSON.parse(stdout) as ReplayDocument;
}

describe('replay', () => {
  it('prints what docs/replay.md shows', async () => {
    const page = await readFile('docs/replay.md', 'utf8');
    const [, command = '', output] = /```console\n\$ rulewright (.*)\n([^]*?)```/.exec(page) ?? [];
    const { stdout } = await rulewright([...command.split(' '), '--emulator'], { cwd });
    expect(stdout).toMatch(shownAs(output ?? ''));
  });

  it('says the same of a saved plan, of several logs and of compressed ones', async () => {
    await rulewright(['plan', ...BLOG, '--out', 'plan.json'], { cwd });
    const lines = (await readFile(join(cwd, 'logs/blog.jsonl'), 'utf8')).trimEnd().split('\n');
    await writeFile(join(cwd, 'logs/part-1.log'), gzipSync(`${lines.slice(0, 20).join('\n')}\n`));
    await writeFile(join(cwd, 'logs/part-2.log'), lines.slice(20).join('\n'));
    const whole = await replayed(...BLOG, '--log', 'logs/blog.jsonl');
    const input = `${lines.join('\n')}\n`;
    const piped = await rulewright(['replay', ...BLOG, '--log', '-', '--format', 'json'], { cwd, input });
    expect(JSON.parse(piped.stdout)).toEqual(whole);
    const saved = await replayed('plan.json', '--emulator', '--log', 'logs/part-*.log');
    expect({ ...saved, log: null }).toEqual({ ...whole, log: null });
    expect([whole.records, whole.outcomes.newly_blocked, saved.log.files]).toEqual([43, 16, 2]);
    expect(whole.plan).toBe(
      (JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8')) as { digest: string }).digest,
    );
  });

  it('counts a log once that several names name, and takes a pipe as it comes', async () => {
    const whole = await replayed(...BLOG, '--log', 'logs/blog.jsonl');
    const again = await replayed(
      ...BLOG,
      '--log',
      'logs/blog.jsonl',
      '--log',
      'logs/*.jsonl',
      '--log',
      './logs/blog.jsonl',
    );
    expect(again).toEqual(whole);
    const pipe = join(cwd, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const filling = readFile(join(cwd, 'logs/blog.jsonl')).then((bytes) => writeFile(pipe, bytes));
    expect((await replayed(...BLOG, '--log', 'pipe')).outcomes).toEqual(whole.outcomes);
    await filling;
  });

  it('says that a folder is no log', async () => {
    const { code, stderr } = await rulewright(['replay', ...BLOG, '--log', 'logs/'], { cwd });
    expect([code, stderr]).toEqual([64, expect.stringContaining("name its files: --log 'logs/*.gz'")]);
  });

  it('adds up what the shards of the examples count, as one machine would', async () => {
    await rulewright(['plan', ...BLOG, '--out', 'plan.json'], { cwd });
    const whole = await replayed('plan.json', '--emulator', '--log', 'logs/blog.jsonl');
    const pods = await readFile('examples/kubernetes/replay.yaml', 'utf8');
    const job = await readFile('examples/github/replay.yml', 'utf8');
    const pod = /rulewright (replay \/state.*)\n/u.exec(pods)?.[1] ?? '';
    const step = /rulewright (replay --log.*)\n/u.exec(job)?.[1] ?? '';
    for (const line of [pod, step.replace('replay', 'replay /state/plan.json')]) {
      const parts = ['1', '2', '3', '4'].map((shard) =>
        line
          .replaceAll(/\$SHARDS/gu, '4')
          .replaceAll(/\$shard|\$SHARD/gu, shard)
          .replace('$counted', `part-${shard}.json`)
          .replace('results/replay-', 'part-')
          .replace('/state/plan.json', 'plan.json')
          .replace(/'[^']*logs\/\*'/u, 'logs/blog.jsonl')
          .replaceAll('"', ''),
      );
      for (const part of parts) {
        expect(await rulewright([...part.split(' '), '--emulator'], { cwd })).toMatchObject({ code: 0 });
      }
      const files = ['1', '2', '3', '4'].map((shard) => `part-${shard}.json`);
      const merged = await rulewright(['merge', ...files, '--format', 'json'], { cwd });
      expect(JSON.parse(merged.stdout)).toEqual(whole);
    }
    const lacking = await rulewright(['merge', 'part-1.json', 'part-2.json'], { cwd });
    expect([lacking.code, lacking.stderr]).toEqual([1, expect.stringContaining('missing: 3/4, 4/4')]);
  });

  it('ends with 1 where no request could be replayed, and says so beside a plan', async () => {
    await writeFile(join(cwd, 'logs/empty.log'), '');
    const args = ['--log', 'logs/empty.log'];
    const alone = await rulewright(['replay', ...BLOG, ...args], { cwd });
    expect([alone.code, alone.stdout]).toEqual([1, expect.stringContaining('The log is empty')]);
    const planned = await rulewright(['plan', ...BLOG, '--replay', 'logs/empty.log'], { cwd });
    expect([planned.code, planned.stdout.replaceAll(/\s+/gu, ' ')]).toEqual([
      0,
      expect.stringContaining('Blast radius: no recorded request went through these rules'),
    ]);
  });

  it('stands beside a plan as its blast radius, without examples where many read it', async () => {
    const reports = ['--report', 'markdown=plan.md', '--report', 'html=plan.html'];
    const args = ['plan', ...BLOG, '--replay', 'logs/blog.jsonl', '--format', 'json', ...reports];
    const { code, stdout } = await rulewright(args, { cwd });
    const { kind, replay } = JSON.parse(stdout) as { kind: string; replay: ReplayDocument };
    expect([code, kind, replay.outcomes.newly_blocked]).toEqual([0, 'checked-plan', 16]);
    const [page, comment] = await Promise.all(
      ['plan.html', 'plan.md'].map((file) => readFile(join(cwd, file), 'utf8')),
    );
    expect(page).toMatch(/<h\d>.*Blast radius/u);
    expect(comment).toContain('Blast radius: of 43 recorded requests, 16 newly blocked');
    expect([page, comment].some((text) => text?.includes('198.51.100.0/24') === true)).toBe(false);
  });

  it('limits what a plan may newly block, on apply of the saved plan too, until that is allowed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rulewright-replay-'));
    await copyExample('shop', folder);
    const file = join(folder, 'rulewright.yaml');
    const limits = '  max_newly_blocked: 25%\n  max_newly_blocked_by_rule: { no-*: 5% }\n  min_records: 40\n';
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^safety:\n/mu, `traffic_examples: true\nsafety:\n${limits}`));
    const run = (...args: readonly string[]) => rulewright(args, { cwd: folder });
    const allowing = '--allow=deleted,changed,emptied,unnamed,weakened';
    const unsent = await run('apply', ...BLOG, '--yes', allowing);
    expect([unsent.code, unsent.stdout]).toEqual([3, expect.stringMatching(/! not-replayed\s+no recorded/u)]);
    const replay = ['--replay', 'logs/blog.jsonl', '--out', 'plan.json', '--report', 'markdown=plan.md'];
    const planned = await run('plan', ...BLOG, ...replay);
    const comment = await readFile(join(folder, 'plan.md'), 'utf8');
    expect(comment).toContain('198.51.100.0/24');
    expect(planned.stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'zone:blog.example: 16 of 43 recorded requests would be newly blocked; max_newly_blocked allows 10 (25%)',
    );
    const saved = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as Plan;
    expect(saved.replay).toMatchObject({
      plan: saved.digest,
      log: { digest: expect.any(String) },
      records: 43,
    });
    const refused = await run('apply', 'plan.json', '--emulator', '--yes', allowing);
    expect([refused.code, refused.stdout]).toEqual([3, expect.stringContaining('! newly-blocked')]);
    const allowed = await run('apply', 'plan.json', '--emulator', '--dry-run', `${allowing},newly-blocked`);
    // Whoever merges a reviewed plan allows what it shows.
    const reviewed = await run('apply', ...BLOG, '--expect', 'plan.json', '--yes', allowing);
    expect([allowed.code, reviewed.code]).toEqual([0, 0]);
    const tampered = JSON.stringify({ ...saved, replay: { ...saved.replay, records: 44 } });
    await writeFile(join(folder, 'plan.json'), tampered);
    const caught = await run('apply', 'plan.json', '--emulator', '--yes');
    expect([caught.code, caught.stderr + caught.stdout]).toEqual([
      1,
      expect.stringContaining('do not add up'),
    ]);
    await rm(folder, { recursive: true });
  });

  it('is saved in a plan that shards made, so that apply has it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rulewright-replay-'));
    await copyExample('shop', folder);
    const file = join(folder, 'rulewright.yaml');
    const text = await readFile(file, 'utf8');
    const limits = 'safety:\n  max_newly_blocked: 50%\n  min_records: 40\n';
    await writeFile(file, text.replace(/^safety:\n/mu, limits));
    const run = (...args: readonly string[]) => rulewright(args, { cwd: folder });
    for (const shard of ['1', '2']) {
      const part = ['--shard', `${shard}/2`, '--out', `part-${shard}.json`];
      expect((await run('plan', '--emulator', '--target', 'zone:blog.example', ...part)).code).toBe(0);
    }
    const kinds = async (): Promise<readonly string[]> => {
      const { findings = [] } = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as Plan;
      return findings.map(({ kind }) => kind);
    };
    expect((await run('merge', 'part-1.json', 'part-2.json', '--out', 'plan.json')).code).toBe(0);
    const replay = ['replay', 'plan.json', '--emulator', '--log', 'logs/blog.jsonl'];
    const saved = await run(...replay, '--out', 'plan.json');
    expect([saved.code, saved.stderr]).toEqual([0, expect.stringContaining('saved plan.json')]);
    expect(await kinds()).not.toContain('not-replayed');
    const allowing = '--allow=deleted,changed,emptied,unnamed,weakened';
    const applied = await run('apply', 'plan.json', '--emulator', '--dry-run', allowing);
    expect([applied.code, applied.stdout]).toEqual([0, expect.not.stringContaining('not-replayed')]);
    const unsaved = await run('replay', '--emulator', '--log', 'logs/blog.jsonl', '--out', 'b.json');
    const shard = await run(...replay, '--out', 'b.json', '--shard', '1/2');
    expect([unsaved.code, shard.code]).toEqual([64, 64]);
    await rm(folder, { recursive: true });
  });

  it.each([
    [64, 'no log is named', []],
    [64, 'no log matches nothing/*.log', ['--log', 'nothing/*.log']],
    [64, 'there is no log missing.json', ['--log', 'missing.json']],
    [1, 'the log rulewright.yaml is in no form that is known here', ['--log', 'rulewright.yaml']],
    [64, '"10.0.0.0/99" cannot be in the list', ['--log', 'logs/blog.jsonl', '--known', 'a=10.0.0.0/99']],
  ] as const)('ends with %s where %s', async (exit, message, args) => {
    const { code, stderr } = await rulewright(['replay', ...BLOG, ...args], { cwd });
    expect([code, stderr]).toEqual([exit, expect.stringContaining(message)]);
  });
});

const THREAD = fileURLToPath(new URL('../../dist/cli/replay-thread.cjs', import.meta.url));

describe.skipIf(!existsSync(THREAD))('replay in threads (skipped if the program is not built)', () => {
  it('counts what it counts in one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rulewright-replay-'));
    await writeBlogProject(folder);
    const lines = Array.from({ length: 60_000 }, (_, index) =>
      JSON.stringify({
        url: `https://blog.example${index % 7 === 0 ? '/xmlrpc.php' : '/a'}?${'x'.repeat(150)}`,
        ip: `192.0.${index % 5}.${index % 250}`,
        time: 1_795_766_400_000 + index,
        headers: { 'user-agent': `agent ${index % 3}` },
      }),
    );
    const log = join(folder, 'requests.jsonl');
    await writeFile(log, `${lines.join('\n')}\nbroken\n`);
    const args = ['replay', '--emulator', '--log', log, '--format', 'json'];
    const here = await rulewright(args, { cwd: folder });
    const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], {
      cwd: folder,
      maxBuffer: 1 << 24,
    });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(here.stdout));
    expect(JSON.parse(stdout)).toMatchObject({
      records: 60_000,
      unreadable: 1,
      unreadable_lines: [{ line: 60_001 }],
    });
    await rm(folder, { recursive: true });
  });
});
