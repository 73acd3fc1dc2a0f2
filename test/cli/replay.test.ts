import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplayDocument } from '../../src/model/index.ts';
import { copyExample } from '../copy-project.ts';
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
    expect(stdout).toBe(output);
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

  it.each([
    [64, 'no log is named', []],
    [64, 'no log matches nothing/*.log', ['--log', 'nothing/*.log']],
    [1, 'the log missing.json cannot be read', ['--log', 'missing.json']],
    [1, 'the log rulewright.yaml is in no form that is known here', ['--log', 'rulewright.yaml']],
    [64, '"10.0.0.0/99" cannot be in the list', ['--log', 'logs/blog.jsonl', '--known', 'a=10.0.0.0/99']],
  ] as const)('ends with %s where %s', async (exit, message, args) => {
    const { code, stderr } = await rulewright(['replay', ...BLOG, ...args], { cwd });
    expect([code, stderr]).toEqual([exit, expect.stringContaining(message)]);
  });
});
