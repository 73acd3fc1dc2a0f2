import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readState, wayOut } from '../../src/import/index.ts';

// Runs OpenTofu (RULEWRIGHT_TOFU) or the Terraform that is installed, with a resource type that both have built in, so that nothing asks a registry:
// the state that it writes is read, and it forgets by the blocks and the commands that an import gives.
const tool = process.env['RULEWRIGHT_TOFU'] ?? 'terraform';
const run = promisify(execFile);

function isThere(): boolean {
  try {
    execFileSync(tool, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const MODULE = 'module "edge" {\n  source   = "./mod"\n  for_each = toset(["eu"])\n}\n';
const CONFIGURATION = String.raw`
resource "terraform_data" "waf" {
  for_each = toset(["shop.example", "it's $(x) \"q\"", "a$$${'{'}b}", "line\nbreak", "-flag"])
}
`;

describe.skipIf(!isThere())(
  'Terraform forgets by what an import gives (RULEWRIGHT_TOFU, or terraform)',
  () => {
    let folder: string;

    const ask = async (...words: readonly string[]): Promise<string> =>
      (await run(tool, words, { cwd: folder, env: { PATH: process.env['PATH'], CHECKPOINT_DISABLE: '1' } }))
        .stdout;

    const stateNow = async () => {
      const state = readState(await readFile(join(folder, 'terraform.tfstate'), 'utf8'));
      return state.kind === 'refused' ? expect.unreachable(state.message) : state;
    };

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'rulewright-forget-'));
      await mkdir(join(folder, 'mod'));
      await writeFile(join(folder, 'mod', 'main.tf'), 'resource "terraform_data" "auth" {\n  count = 2\n}\n');
      await writeFile(join(folder, 'main.tf'), CONFIGURATION + MODULE);
      await ask('init', '-input=false');
      await ask('apply', '-auto-approve', '-input=false');
    });

    afterEach(() => rm(folder, { recursive: true, force: true }));

    test('by blocks, and the plan says "0 to destroy"', async () => {
      const state = await stateNow();
      const all = state.instances.map(({ address }) => address);
      expect(all).toHaveLength(7);
      await writeFile(join(folder, 'removed.tf'), wayOut(state, { imported: all, all }).removed ?? '');
      await writeFile(join(folder, 'main.tf'), '');
      const plan = await ask('plan', '-no-color', '-input=false');
      expect(plan).toContain('0 to add, 0 to change, 0 to destroy');
      await ask('apply', '-auto-approve', '-input=false');
      expect((await stateNow()).instances).toEqual([]);
    });

    test('by commands as a shell reads them, for keys that hold what a shell and HCL treat specially', async () => {
      const state = await stateNow();
      const all = state.instances.map(({ address }) => address);
      const imported = all.filter(({ instance }) => !/shop\.example|auth\[0\]/u.test(instance));
      const { removed, commands } = wayOut(state, { imported, all });
      expect(removed).toBeNull();
      expect(commands).toHaveLength(5);
      for (const command of commands) {
        await run('sh', ['-c', command.replace(/^(?:terraform|tofu) /u, '"$TOOL" ')], {
          cwd: folder,
          env: { PATH: process.env['PATH'], CHECKPOINT_DISABLE: '1', TOOL: tool },
        });
      }
      expect((await stateNow()).instances.map(({ address }) => address.instance).toSorted()).toEqual([
        'module.edge["eu"].terraform_data.auth[0]',
        'terraform_data.waf["shop.example"]',
      ]);
    });
  },
);
