// The process that carries out a plan and is killed on the way. The kill campaign bundles and starts it.
import { readFileSync } from 'node:fs';
import { createBudget } from '../../../src/api/budget.ts';
import { dryRunOf, openWriteClient } from '../../../src/api/client.ts';
import { systemClock } from '../../../src/network/clock.ts';
import { applyPlan } from '../../../src/apply/apply-plan.ts';
import { openJournal } from '../../../src/apply/journal/journal.ts';
import type { PlannedScope } from '../../../src/model/plan.ts';
import type { WriteStrategy } from '../../../src/plan/requests/writes.ts';

/** The task of the process, in the file that its first argument names. */
export interface ChildTask {
  readonly baseUrl: string;
  readonly token: string;
  readonly scope: PlannedScope;
  readonly strategy: WriteStrategy;
  readonly preflight: 'auto' | 'off';
  readonly journal: string;
  readonly onFailure: 'stop' | 'rollback';
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ChildTask;
const client = openWriteClient({
  baseUrl: task.baseUrl,
  credentials: { kind: 'token', token: task.token },
  budget: createBudget({ clock: systemClock }),
});
const journal = await openJournal(task.journal, { now: () => Date.now(), run: 'child' });
const { outcomes } = await applyPlan({
  scopes: [{ plan: task.scope, access: { kind: 'write', client }, check: dryRunOf(client) }],
  digest: 'of the child',
  service: 'the bench',
  strategy: task.strategy,
  preflight: task.preflight,
  origin: 'fresh',
  onFailure: task.onFailure,
  concurrency: 1,
  journal,
  clock: systemClock,
  report: () => undefined,
  signal: undefined,
});
await journal.record({ kind: 'end', result: 'done' });
await journal.close();
await client.close();
process.stdout.write(JSON.stringify(outcomes.map(({ kind }) => kind)));
