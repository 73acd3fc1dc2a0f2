import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countedService } from './counted-service.ts';

/** An empty folder with its own service; `run` returns the paths of the single rulesets that a command reads. */
async function world() {
  const { root, run } = await countedService();
  return {
    root,
    run: async (argv: string): Promise<readonly string[]> =>
      (await run(argv)).flatMap(({ path }) => (path.includes('/rulesets/') ? [path] : [])),
  };
}

describe('the version cache after an import', () => {
  test('spares the first plan the reads of the import, and is in the folder of the project', async () => {
    const { root, run } = await world();
    expect(await run('init --zone shop.example --out rules')).toHaveLength(4);
    expect(await run('plan rules --exit-code')).toEqual([]);
    expect(await readFile(join(root, 'rules/.rulewright/.gitignore'), 'utf8')).toContain('*');
    // An import never reads from the cache.
    expect(await run('import --zone shop.example --out rules')).toHaveLength(4);
    expect(await run('plan rules --no-cache --exit-code')).toHaveLength(4);
  });

  test('gets nothing when the project has a sensitive value', async () => {
    const { root, run } = await world();
    await writeFile(
      join(root, 'rulewright.yaml'),
      'version: 1\nfiles: [zones/*.yaml]\nenv:\n  origin_secret: { from: ORIGIN_SECRET, sensitive: true }\n',
    );
    await run('import --zone shop.example');
    expect(await run('plan --exit-code')).toHaveLength(4);
  });
});
