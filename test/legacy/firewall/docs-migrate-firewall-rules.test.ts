import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rulewright } from '../../cli/in-process.ts';
import { shownAs } from '../../docs/shown-output.ts';

const PAGE = 'docs/migrate-firewall-rules.md';
const text = await readFile(PAGE, 'utf8');
const runs = [...text.matchAll(/```console\n\$ rulewright (.*)\n([^]*?)```/g)].map(
  ([, command = '', output = '']) => ({ command, output }),
);

it('docs/migrate-firewall-rules.md shows the output of its commands on the embedded service', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'rulewright-docs-'));
  try {
    await mkdir(join(cwd, 'zones'));
    await writeFile(join(cwd, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
    const run = async (command: string): Promise<string> => {
      const { stdout } = await rulewright([...command.split(' '), '--quiet'], { cwd });
      return stdout;
    };
    const [refused, convert, retire, ...others] = runs;
    expect(others).toEqual([]);
    const show = async (example: (typeof runs)[number] | undefined): Promise<void> => {
      expect(await run(example?.command ?? '')).toMatch(shownAs(example?.output ?? ''));
    };
    await show(refused);
    await show(convert);
    expect(await run('apply --emulator --yes')).toContain('Applied. 1 ruleset: 1 done.');
    await show(retire);
    expect(await run('plan --emulator')).toContain('No changes.');
    expect(await run('firewall list blog.example --emulator')).toContain('There are no firewall rules.');
  } finally {
    await rm(cwd, { recursive: true });
  }
});
