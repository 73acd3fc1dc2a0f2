// Requests of a reconcile, counted by the embedded service: the example project, first apply and no change.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apply } from '../src/app/apply.ts';
import { plan } from '../src/app/plan-project.ts';
import { NO_SECRETS } from '../src/app/project/project-secrets.ts';
import { runTime } from '../src/app/run/time.ts';
import { runBudget } from '../src/app/service/run-budget.ts';
import type { ServiceOptions } from '../src/app/service/service-options.ts';
import { startEmulator } from '../src/emulator/index.ts';
import { printTable } from './table.ts';

const emulator = await startEmulator();
const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
const service: ServiceOptions = {
  service: {
    kind: 'service',
    baseUrl: emulator.baseUrl,
    credentials: { kind: 'token', token: emulator.token },
  },
  env: {},
  secrets: NO_SECRETS,
  concurrency: 4,
  ...runTime(),
  budget: runBudget(),
};
const selection = { cwd: join(process.cwd(), 'examples', 'shop'), paths: [], targets: [] };
const quiet = (): void => undefined;

async function counted<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; reads: number; writes: number }> {
  await fetch(`${emulator.controlUrl}/requests`, { method: 'DELETE' });
  const result = await work();
  const sent = (await (await fetch(`${emulator.controlUrl}/requests`)).json()) as { method: string }[];
  const reads = sent.filter((request) => request.method === 'GET').length;
  return { result, reads, writes: sent.length - reads };
}

try {
  const first = await counted(() => plan(selection, service, quiet));
  if (first.result.kind === 'invalid') {
    throw new Error(JSON.stringify(first.result.diagnostics));
  }
  const made = first.result.plan;
  const applied = await counted(() =>
    apply(
      {
        plan: made,
        service,
        writes: 'auto',
        dryRun: false,
        allow: ['all'],
        journal: join(folder, 'journal.jsonl'),
        cwd: folder,
      },
      quiet,
    ),
  );
  const again = await counted(() => plan(selection, service, quiet));
  const rulesets = made.scopes.reduce(
    (count, scope) => count + (scope.kind === 'planned' ? scope.bases.length : 0),
    0,
  );
  printTable(`Requests, ${made.scopes.length} scopes with ${rulesets} declared rulesets`, [
    { run: 'plan', reads: first.reads, writes: first.writes },
    { run: 'apply of that plan', reads: applied.reads, writes: applied.writes },
    { run: 'plan without changes', reads: again.reads, writes: again.writes },
  ]);
} finally {
  await emulator.close();
  rmSync(folder, { recursive: true });
}
