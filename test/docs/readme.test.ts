import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rulewright } from '../cli/in-process.ts';
import { copyExample } from '../copy-project.ts';

const ROOT = join(import.meta.dirname, '..', '..');
let readme: string;
let folder: string;

beforeAll(async () => {
  readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'rulewright-readme-'));
  await copyExample('first', folder);
});
afterAll(() => rm(folder, { recursive: true }));

function block(start: string): string {
  const at = readme.indexOf(`\`\`\`${start}`);
  return readme.slice(at + 3 + start.length, readme.indexOf('\n```', at));
}

describe('the README', () => {
  it('shows the file of examples/first', async () => {
    const file = await readFile(join(ROOT, 'examples', 'first', 'zones', 'shop.example.yaml'), 'utf8');
    expect(block('yaml\n')).toBe(file.trimEnd());
  });

  it('shows the plan of examples/first', async () => {
    const run = await rulewright(['plan', '--emulator', '--emulator-state', join(folder, 'state.json')], {
      cwd: folder,
    });
    expect(run.stdout.trimEnd()).toBe(block('\n$ rulewright plan --emulator\n'));
  });

  it('names only commands that exist', async () => {
    const help = (await rulewright(['--help'], { cwd: folder })).stdout;
    for (const [, command] of readme.matchAll(/`rulewright ([a-z]+)/g)) {
      expect(help).toContain(`  ${command} `);
    }
  });
});
