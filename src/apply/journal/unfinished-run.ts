import type { ReadClient } from '../../api/client.ts';
import { orElse } from '../../api/service-error.ts';
import type { UnfinishedRun, UnfinishedStep } from '../../model/unfinished-run.ts';
import { lookUp } from '../base/look-up.ts';
import type { RecordedRun, RecordedStep } from './read-journal.ts';

/**
 * What a run that did not end had done and not done, from its journal and from live. A write that was in
 * hand when it crashed is looked for: live at its base says that it did nothing.
 */
export async function describeUnfinished(
  run: RecordedRun,
  clientFor: (tokenEnv: string | undefined) => ReadClient,
): Promise<UnfinishedRun> {
  const steps: UnfinishedStep[] = [];
  for (const step of run.steps) {
    steps.push(await describeStep(step, clientFor(step.tokenEnv)));
  }
  const { at, plan, purpose } = run;
  return { at, plan, purpose, steps };
}

async function describeStep(recorded: RecordedStep, client: ReadClient): Promise<UnfinishedStep> {
  const { step, landed, writes } = recorded;
  const count = { step, landed, writes };
  if (!recorded.open) {
    return { ...count, state: landed === 0 ? 'not-begun' : landed < writes ? 'partly' : 'done' };
  }
  const further = await versionsSince(recorded, client);
  if (further === null) {
    return { ...count, state: 'unknown' };
  }
  // Every write that landed has made one version; one more is that of the write in hand, or of somebody else.
  return further <= landed
    ? { ...count, state: landed === 0 ? 'not-begun' : 'partly' }
    : { ...count, landed: landed + 1, state: landed + 1 < writes ? 'partly' : 'done' };
}

/** How many versions live is away from where the step began; null when that cannot be told. */
function versionsSince(recorded: RecordedStep, client: ReadClient): Promise<number | null> {
  const { scope, target, base, landed } = recorded;
  const since = lookUp(client, scope, target, base).then((live) => {
    if (base.kind !== 'version') {
      return live === null ? 0 : Number(live.version);
    }
    return live === null ? landed + 1 : Number(live.version) - Number(base.version);
  });
  return orElse(since, () => null);
}
