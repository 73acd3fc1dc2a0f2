import { orElse } from '../../api/service-error.ts';
import { RulewrightError } from '../../model/error.ts';
import type { LiveRuleset, LiveRulesetHead } from '../../model/ruleset.ts';
import { PLAN_AGAIN } from './conflict.ts';
import type { Landed } from './judge-write.ts';
import { customsNamed } from '../base/look-up.ts';
import type { WriteResult } from './perform-write.ts';
import type { WriteTask } from './write-task.ts';
import { performWrite } from './perform-write.ts';
import { NO_EFFECT } from '../base/write-failure.ts';

/**
 * Deletes a custom ruleset that was just made if there is another one of the same name: the service accepts several, so two runs at the same moment
 * can both make it, and no later plan could tell which is meant. Nobody uses the new one yet, and of two runs at least the later one sees the
 * other's.
 */
export async function removeDuplicate(task: WriteTask, made: Landed): Promise<WriteResult> {
  const { write } = task;
  const { ruleset: ours } = made;
  if (write.kind !== 'create-ruleset' || write.target.level !== 'custom' || ours === null) {
    return made;
  }
  const twin = await twinOf(task, ours);
  if (twin === undefined) {
    return made;
  }
  const conflict = { kind: 'conflict', others: [], unread: [] } as const;
  return (await isTakenAway(task, ours))
    ? {
        ...conflict,
        message: `somebody else made a custom ruleset of this name at the same moment, ${twin.id}; the one of this run was deleted again`,
        hint: PLAN_AGAIN,
        effect: NO_EFFECT,
      }
    : {
        ...conflict,
        message: `somebody else made a custom ruleset of this name at the same moment: ${twin.id}, beside ${ours.id} of this run`,
        hint: `delete one of the two, then plan again: of ${ours.id} no rule makes use yet`,
        effect: { kind: 'landed', version: ours.version },
      };
}

/** Returns another custom ruleset of the same name; undefined also when live cannot be read: the next plan then names both, if there are two. */
async function twinOf(
  { reader, run, step }: WriteTask,
  ours: LiveRuleset,
): Promise<LiveRulesetHead | undefined> {
  const [twin] = await orElse(customsNamed(reader, run.scope, step.target, ours.id), () => []);
  return twin;
}

async function isTakenAway(task: WriteTask, ours: LiveRuleset): Promise<boolean> {
  try {
    const write = { kind: 'delete-ruleset', id: ours.id } as const;
    const gone = await performWrite({ ...task, write, before: ours });
    return gone.kind === 'landed';
  } catch (error) {
    // A journal that cannot be written ends the run; the ruleset that it made is still reported.
    if (error instanceof RulewrightError) {
      return false;
    }
    throw error;
  }
}
