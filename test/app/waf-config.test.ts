import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { CMR } from '../emulator/migration-zone.ts';
import type { BenchOptions } from './waf-bench.ts';
import { CONFIGURED, startWafBench } from './waf-bench.ts';

const WRITE = 'config old.example --output zones/managed.yaml --quiet';

/** What `waf config` writes, with the next plan after the migration. */
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

test('a configuration names rulesets, as an import does, and says which managed rules it overrides', async () => {
  const { code, yaml, plan } = await configured();
  expect(code).toBe(0);
  expect(yaml).toContain('id: managed:cloudflare-managed-ruleset\n');
  expect(yaml).toContain('id: managed:cloudflare-owasp-core-ruleset\n');
  expect(yaml).not.toContain(CMR);
  expect(yaml).toMatch(/\{ id: 23ee7cebe6e8443e99ecf932ab579455, [^}]*\} # Apache Struts/u);
  expect(yaml).toContain('# Carried over as a skip rule from a firewall rule');
  expect(await plan()).toBe('No changes. Live equals the files (1 ruleset in 1 scope).\n');
});

test('where the names of rulesets cannot be read, their ids stay, and the command says so', async () => {
  const { code, yaml } = await configured({
    faults: { path: '/zones/*/rulesets', nth: 1, effect: { kind: 'error', status: 403 } },
  });
  expect(code).toBe(1);
  expect(yaml).toContain(`id: ${CMR}\n`);
});

test('a configuration does not say what the old settings were where they cannot be read', async () => {
  const denied = { kind: 'error', status: 403, errors: [{ code: 10_000, message: 'Authentication error' }] };
  const paths = ['firewall/waf/packages', 'firewall/rules'];
  const { code, yaml } = await configured({
    faults: paths.map((path) => ({ path: `/zones/*/${path}`, effect: denied })),
  });
  expect(code).toBe(1);
  expect(yaml).toContain('Its sensitivity is PL1, threshold 25 now; what it was could not be read.');
  expect(yaml).toContain('# Carried over as a skip rule from a firewall rule or a page rule.');
});

test('a configuration that goes where the project does not look says so', async () => {
  const bench = await startWafBench();
  const told = 'is not a file of the project: name it in `files` of rulewright.yaml';
  expect((await bench.waf('config old.example --output aside.yaml')).stderr).toContain(`aside.yaml ${told}`);
  expect((await bench.waf('config old.example --output zones/managed.yaml')).stderr).not.toContain(told);
});
