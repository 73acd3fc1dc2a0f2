import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rulewright } from '../../cli/in-process.ts';

const PAGE = fileURLToPath(new URL('../../../docs/migrate-waf.md', import.meta.url));
const BLOCK = /```console\n\$ rulewright ([^\n]+)\n([^`]*)```/gu;

/** Update with RULEWRIGHT_UPDATE_SCENARIOS=1, then review the difference. */
test('the worked example of docs/migrate-waf.md does what the page shows', async () => {
  const page = await readFile(PAGE, 'utf8');
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'docs-waf-')));
  try {
    await writeFile(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: ["zones/*.yaml"]\n');
    let shown = page;
    const blocks = [...page.matchAll(BLOCK)];
    expect(blocks).toHaveLength(5);
    for (const [block, words = ''] of blocks) {
      const { stdout, stderr } = await rulewright(words.split(' '), { cwd: folder });
      const text = words.includes('config') ? stderr : stdout;
      const scrubbed = text
        .replaceAll(`${folder}/`, '')
        .replaceAll(/\d{4}-\d{2}-\d{2}T[\d-]+Z/gu, '2026-11-21T10-00-00-000Z')
        .replaceAll(/\n\s+(?=\.rulewright)/gu, ' ');
      shown = shown.replace(block, () => `\`\`\`console\n$ rulewright ${words}\n${scrubbed}\`\`\``);
    }
    if (process.env['RULEWRIGHT_UPDATE_SCENARIOS'] === '1') {
      await writeFile(PAGE, shown);
    }
    expect(shown).toBe(await readFile(PAGE, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
