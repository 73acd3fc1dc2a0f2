import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyExample } from '../copy-project.ts';
import { shownAs } from '../docs/shown-output.ts';
import { rulewright } from './in-process.ts';

const text = await readFile('docs/testing-rules.md', 'utf8');
const blocks = [...text.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, kind = '', body = '']) => ({ kind, body }));
const yaml = blocks.filter(({ kind }) => kind === 'yaml').map(({ body }) => body);
const runs = blocks
  .filter(({ kind }) => kind === 'console')
  .map(({ body }) => /^\$ rulewright (.*)\n([^]*)$/.exec(body))
  .map((match) => ({ command: match?.[1] ?? '', output: match?.[2] ?? '' }));

/** Replaces the test files of the example project with the given file and the login tests, and runs a command there. */
async function inShop(
  file: string,
  command: string,
): Promise<{ readonly code: number; readonly stdout: string }> {
  const root = await mkdtemp(join(tmpdir(), 'rulewright-docs-'));
  try {
    await copyExample('shop', root);
    await rm(join(root, 'tests'), { recursive: true });
    await cp('examples/shop/tests/login.test.yaml', join(root, 'tests', 'x.yaml'));
    await writeFile(join(root, 'tests', 'admin.test.yaml'), file);
    return await rulewright(command.split(' '), { cwd: root });
  } finally {
    await rm(root, { recursive: true });
  }
}

describe('docs/testing-rules.md', () => {
  it('has two YAML blocks and the commands test and explain', () => {
    expect([yaml.length, runs.map(({ command }) => command.split(' ')[0])]).toEqual([2, ['test', 'explain']]);
  });

  it.each(runs)('shows the output of $command', async ({ command, output }) => {
    const { code, stdout } = await inShop(yaml[0] ?? '', command);
    expect([code, stdout]).toEqual([0, expect.stringMatching(shownAs(output))]);
  });

  it('has an example of a test with a response that passes', async () => {
    const { code } = await inShop(`zone: shop.example\ntests:\n${yaml[1] ?? ''}`, 'test');
    expect(code).toBe(0);
  });
});
