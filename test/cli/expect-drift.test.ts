import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rulewright } from './in-process.ts';

let cwd = '';

const zone = (expression: string): string =>
  `zone: shop.example\nentrypoints:\n  http_ratelimit:\n    description: Ours\n    rules: []\n  http_config_settings:\n    rules:\n      - { ref: a, expression: '${expression}', action: set_config, action_parameters: { email_obfuscation: true } }\n`;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-drift-')));
  await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zone.yaml]\n');
  await writeFile(join(cwd, 'zone.yaml'), zone('ssl'));
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

/** Runs a command against the embedded service. */
const run = (...words: readonly string[]) => rulewright([...words, '--emulator', '--quiet'], { cwd });

async function digestOf(...flags: readonly string[]): Promise<string> {
  const { stdout } = await run('drift', '--format', 'json', ...flags);
  const { digest }: { digest: string } = JSON.parse(stdout);
  return digest;
}

const undo = (digest: string, ...flags: readonly string[]) =>
  run('apply', '--yes', '--allow', 'all', '--expect-drift', digest, ...flags);

it.each([[[]], [['--unmanaged']]])('puts back the drift that was shown, with %j', async (flags) => {
  const shown = await digestOf(...flags);
  const before = await run('drift', ...flags);
  expect([before.code, before.stdout]).toEqual([2, expect.stringContaining(`Digest: ${shown}\n`)]);
  const undone = await undo(shown, ...flags);
  expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining('Applied')]);
  expect((await run('drift')).code).toBe(0);
});

it.each([[[]], [['--unmanaged']]])('writes nothing if the drift is another, with %j', async (flags) => {
  const shown = await digestOf(...flags);
  await writeFile(join(cwd, 'zone.yaml'), zone('not ssl'));
  const before = await readFile(join(cwd, '.rulewright', 'emulator.json'), 'utf8');
  const { code, stderr } = await undo(shown, ...flags);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(`its digest is ${await digestOf(...flags)} now`),
  ]);
  expect(await readFile(join(cwd, '.rulewright', 'emulator.json'), 'utf8')).toBe(before);
});

it.each([[[]], [['--unmanaged']]])(
  'takes the drift that was shown into the files, with %j',
  async (flags) => {
    const shown = await digestOf(...flags);
    const before = await readFile(join(cwd, '.rulewright', 'emulator.json'), 'utf8');
    const taken = await run('import', '--discard', '--expect-drift', shown, ...flags);
    expect([taken.code, taken.stdout, taken.stderr]).toEqual([0, expect.stringContaining('zone.yaml'), '']);
    expect((await run('drift', ...flags)).code).toBe(0);
    expect(await readFile(join(cwd, '.rulewright', 'emulator.json'), 'utf8')).toBe(before);
  },
);

it('changes no file if the drift is another', async () => {
  const shown = await digestOf();
  const files = zone('not ssl');
  await writeFile(join(cwd, 'zone.yaml'), files);
  const { code, stderr } = await run('import', '--expect-drift', shown);
  expect([code, stderr]).toEqual([3, expect.stringContaining(`its digest is ${await digestOf()} now`)]);
  expect(await readFile(join(cwd, 'zone.yaml'), 'utf8')).toBe(files);
  const some = await run('import', 'shop.example', '--expect-drift', shown);
  expect([some.code, some.stderr]).toEqual([
    64,
    expect.stringContaining('--expect-drift is about all that the project declares'),
  ]);
});

it.each([[[]], [['--unmanaged']]])('says that there is no drift any more, with %j', async (flags) => {
  const shown = await digestOf(...flags);
  expect((await undo(shown, ...flags)).code).toBe(0);
  // What no file declares stays live.
  await run('import', '--discard', ...flags);
  for (const { code, stderr } of [
    await undo(shown, ...flags),
    await run('import', '--expect-drift', shown, ...flags),
  ]) {
    expect([code, stderr]).toEqual([3, expect.stringContaining('Refused: there is no drift any more')]);
  }
});

it('refuses a digest that is none, one beside a reviewed plan, and --unmanaged without one', async () => {
  const none = await undo('abc');
  expect([none.code, none.stderr]).toEqual([64, expect.stringContaining('expected the digest of a drift')]);
  const both = await undo('a'.repeat(64), '--expect', 'plan.json');
  expect([both.code, both.stderr]).toEqual([64, expect.stringContaining('leave --expect out')]);
  const alone = await run('apply', '--yes', '--unmanaged');
  expect([alone.code, alone.stderr]).toEqual([
    64,
    expect.stringContaining('--unmanaged is for --expect-drift'),
  ]);
});
