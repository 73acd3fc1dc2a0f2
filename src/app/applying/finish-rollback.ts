import type { WriteClient } from '../../api/index.ts';
import { openReadClient } from '../../api/index.ts';
import type { EarlierPlan, Journal, UnfinishedRollout } from '../../apply/index.ts';
import { earlierWrites, mayGoBack, recordDone, rollBackAll, unfinishedRollout } from '../../apply/index.ts';
import type { Rollback } from '../../model/index.ts';
import type { Clock } from '../../network/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { JournalChoice } from '../run/journal-choice.ts';
import { journalPath } from '../run/journal-choice.ts';
import { openRun } from '../run/open-run.ts';
import { openWriting } from '../service/open-writing.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { putBackWaves } from './put-back-waves.ts';

/** What a run in waves wrote in one wave that did not come to its end. */
export type GoneOnFrom = UnfinishedRollout['writes'][number];

/** What was written in a wave by a run that did not come to its end. */
export interface EarlierWrite extends EarlierPlan {
  readonly wave: { readonly number: number; readonly wanted: string };
}

/** Finds out what a run in waves wrote that did not come to its end, in order. */
export async function readEarlierWrites(
  writes: readonly GoneOnFrom[],
  means: {
    readonly clientFor: (tokenEnv: string | undefined) => WriteClient;
    readonly journal: Journal;
    readonly clock: Clock;
  },
): Promise<readonly EarlierWrite[]> {
  const found: EarlierWrite[] = [];
  for (const recorded of writes) {
    const { wave: number, wanted } = recorded;
    found.push({ ...(await earlierWrites(recorded, means)), wave: { number, wanted } });
  }
  return found;
}

/** Returns what a run in waves wrote that ended, killed or interrupted, while it put that back; null when there is none. Throws `apply/journal`. */
export async function interruptedRollback(
  choice: JournalChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<UnfinishedRollout | null> {
  if (!(await mayGoBack(journalPath(choice)))) {
    return null;
  }
  const identity = await withService({ options, open: openReadClient, report }, (service) =>
    Promise.resolve(service.identity),
  );
  const unfinished = await unfinishedRollout(journalPath(choice), identity);
  return unfinished?.state === 'going-back' ? unfinished : null;
}

/**
 * Puts back what a run wrote that ended while it did so. It is over then, unless live could not be read or written: the next command tries again. What
 * others have changed since is left.
 */
export async function finishRollback(
  { writes }: UnfinishedRollout,
  choice: JournalChoice,
  { options, report }: { readonly options: ServiceOptions; readonly report: OnEvent },
): Promise<Rollback> {
  const { clock, concurrency } = options;
  return withService({ options, open: openWriting, report }, async (service) => {
    const journal = await openRun(journalPath(choice), options);
    const own = { service: service.identity } as const;
    try {
      const found = await readEarlierWrites(writes, {
        clientFor: (tokenEnv) => service.client(tokenEnv),
        journal,
        clock,
      });
      const { rollback } = await putBackWaves(
        found.map(({ written, lost, wave }) => ({ plan: written, lost, wave, isWhole: true })),
        {
          putBack: (written) => rollBackAll(written, { ...own, journal, concurrency, report }),
          recordDone: (record) => recordDone(journal, { kind: 'wave', ...own, ...record }, report),
        },
      );
      if (rollback.outcomes.every(({ kind }) => kind !== 'failed')) {
        await recordDone(journal, { kind: 'rollout', ...own, state: 'ended' }, report);
      }
      const result = rollback.result === 'partial' ? 'partial' : 'done';
      await recordDone(journal, { kind: 'end', result }, report);
      return rollback;
    } finally {
      await journal.close();
    }
  });
}
