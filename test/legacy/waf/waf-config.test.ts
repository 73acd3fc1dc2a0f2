import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CMR } from '../../emulator/migration-zone.ts';
import type { BenchOptions } from './waf-bench.ts';
import { CONFIGURED, startWafBench } from './waf-bench.ts';

const WRITE = 'config old.example --output zones/managed.yaml --quiet';

/** The file that `waf config` writes, and a way to finish the migration and plan that file. */
async function configured(options: BenchOptions = {}): Promise<{
  readonly code: number;
  readonly yaml: string;
  readonly plan: () => Promise<string>;
}> {
  const bench = await startWafBench({ zone: CONFIGURED, ...options });
  const { code } = await bench.waf(WRITE);
  return {
    code,
    yaml: await readFile(join(bench.folder, 'zones', 'managed.yaml'), 'utf8'),
    plan: async () => {
      expect((await bench.waf('finish old.example --confirm old.example')).code).toBe(0);
      return (await bench.run('plan')).stdout;
    },
  };
}

test('waf config writes rulesets by name and comments overridden rules, and leaves nothing to plan after the migration', async () => {
  const { code, yaml, plan } = await configured();
  expect(code).toBe(0);
  expect(yaml).toContain('id: managed:cloudflare-managed-ruleset\n');
  expect(yaml).toContain('id: managed:cloudflare-owasp-core-ruleset\n');
  expect(yaml).not.toContain(CMR);
  expect(yaml).toMatch(/\{ id: 23ee7cebe6e8443e99ecf932ab579455, [^}]*\} # Apache Struts/u);
  expect(yaml).toContain('# Carried over as a skip rule from a firewall rule');
  expect(await plan()).toBe('No changes. Live equals the files (1 ruleset in 1 scope).\n');
});

test('waf config keeps the ids of rulesets whose names it cannot read, and exits with 1', async () => {
  const { code, yaml } = await configured({
    faults: { path: '/zones/*/rulesets', nth: 1, effect: { kind: 'error', status: 403 } },
  });
  expect(code).toBe(1);
  expect(yaml).toContain(`id: ${CMR}\n`);
});

test('waf config leaves out what the old settings were when it cannot read them, and exits with 1', async () => {
  const denied = { kind: 'error', status: 403, errors: [{ code: 10_000, message: 'Authentication error' }] };
  const paths = ['firewall/waf/packages', 'firewall/rules'];
  const { code, yaml } = await configured({
    faults: paths.map((path) => ({ path: `/zones/*/${path}`, effect: denied })),
  });
  expect(code).toBe(1);
  expect(yaml).toContain('Its sensitivity is PL1, threshold 25 now; what it was could not be read.');
  expect(yaml).toContain('# Carried over as a skip rule from a firewall rule or a page rule.');
});

test('waf config warns when the output is not a file of the project', async () => {
  const bench = await startWafBench();
  const told = 'is not a file of the project: name it in `files` of rulewright.yaml';
  expect((await bench.waf('config old.example --output aside.yaml')).stderr).toContain(`aside.yaml ${told}`);
  expect((await bench.waf('config old.example --output zones/managed.yaml')).stderr).not.toContain(told);
});
