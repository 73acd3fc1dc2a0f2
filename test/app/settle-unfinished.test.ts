import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settleUnfinished } from '../../src/app/planning/crashed-run.ts';
import { openJournal } from '../../src/apply/journal/journal.ts';
import { readLastRun } from '../../src/apply/journal/read-journal.ts';
import type { Scope } from '../../src/model/scope.ts';
import type { PlannedScope, ScopePlan } from '../../src/model/plan.ts';
import { createFakeClock } from '../fake-clock.ts';
import { id } from '../plan/build.ts';
import { scope } from '../report/plan-builder.ts';

// The journal has a run of two zones that did not end. A plan without steps settles that run only if it covers both zones.

const zoneOf = (number: number): Scope => ({
  kind: 'zone',
  id: id(number),
  name: `z${number}.example`,
  accountId: id(9),
});
const planned = (number: number, more: Partial<PlannedScope> = {}): PlannedScope =>
  scope([], { scope: zoneOf(number), ...more });
const notPlanned = (number: number): ScopePlan => ({
  kind: 'failed',
  scope: zoneOf(number),
  error: { code: 'api/forbidden', message: 'no' },
});

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rulewright-settle-'));
  path = join(folder, 'journal.jsonl');
  const journal = await openJournal(path, { now: () => 1000, run: 'crashed' });
  const steps = [1, 2].map((number) => ({
    step: `zone:z${number}.example/http_ratelimit`,
    scope: zoneOf(number),
    target: { kind: 'ruleset', level: 'zone', phase: 'http_ratelimit', name: 'default' } as const,
    base: { kind: 'absent' } as const,
    writes: 1,
  }));
  await journal.record({ kind: 'run', purpose: 'apply', plan: 'p', service: 's', steps });
  await journal.close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('settleUnfinished', () => {
  it.each<[what: string, within: readonly ScopePlan[] | undefined, end: string | null]>([
    ['of the whole project', undefined, 'settled'],
    ['of a shard with all its scopes', [planned(1), planned(2)], 'settled'],
    ['of a shard with more', [planned(3), planned(2), planned(1)], 'settled'],
    ['of a shard with some of them', [planned(1), planned(3)], null],
    ['of a shard that could not plan one of them', [planned(1), notPlanned(2)], null],
    ['of a shard without scopes', [], null],
  ])(
    'settles an unfinished run only if the plan covers all its scopes: a plan %s',
    async (_what, within, end) => {
      await settleUnfinished(
        { journal: path, cwd: folder },
        {
          clock: createFakeClock(),
          within: within && { scopes: within },
        },
      );
      expect(await readLastRun(path)).toMatchObject({ run: 'crashed', end });
    },
  );
});
