import { getRuleset, ownRulesets } from '../../api/rulesets.ts';
import { isNotFound, orElse } from '../../api/service-error.ts';
import { RulewrightError } from '../../model/error.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { PLAN_AGAIN } from './conflict.ts';
import type { Landed } from './judge-write.ts';
import { isAsLeft, listedAs } from '../base/look-up.ts';
import type { WriteResult } from './perform-write.ts';
import type { WriteTask } from './write-task.ts';
import { performWrite } from './perform-write.ts';
import type { Effect } from '../base/write-failure.ts';
import { NO_EFFECT } from '../base/write-failure.ts';

/**
 * Deletes a custom ruleset that was just made if there is another one of the same name: the service accepts several, so two runs at the same moment
 * can both make it, and no later plan could tell which is meant. Nobody uses the new one yet, and of two runs at least the later one sees the
 * other's. Deletes only what this run certainly made: the ruleset whose id came in the answer, and that is, read by that id, what the answer says.
 */
export async function removeDuplicate(task: WriteTask, made: Landed): Promise<WriteResult> {
  const { write } = task;
  const { ruleset: ours } = made;
  if (write.kind !== 'create-ruleset' || write.target.level !== 'custom' || ours === null) {
    return made;
  }
  const { twins, isListed } = await twinsOf(task, ours);
  if (twins.length === 0 && isListed) {
    return made;
  }
  const certainty = await isOurs(task, ours);
  if (twins.length === 0 && certainty !== 'not-ours') {
    return made;
  }
  const beside = twins.length === 0 ? '' : `; ${twins.join(', ')} has this name`;
  if (certainty === 'not-ours') {
    return conflict(
      LANDED,
      `the service answered the creation with the id ${ours.id}, but that is not what this run made${beside}. Nothing was deleted`,
      'look at the custom rulesets of this name, then plan again',
    );
  }
  const others = `somebody else made a custom ruleset of this name at the same moment: ${twins.join(', ')}`;
  if (certainty === 'unknown' || made.from === 'live') {
    return conflict(
      LANDED,
      `${others}, beside ${ours.id}; which of them this run made is not certain, so nothing was deleted`,
      'delete all but one of them, then plan again: no rule of this run makes use of any yet',
    );
  }
  return (await isTakenAway(task, ours))
    ? conflict(NO_EFFECT, `${others}; the one of this run was deleted again`, PLAN_AGAIN)
    : conflict(
        { kind: 'landed', version: ours.version },
        `${others}, beside ${ours.id} of this run`,
        `delete one of them, then plan again: of ${ours.id} no rule makes use yet`,
      );
}

/** Returns the other custom rulesets of the name, and whether the list shows the one that was made. */
async function twinsOf({ reader, run: { scope }, step }: WriteTask, ours: LiveRuleset) {
  const twins = async () => {
    const named = await listedAs(reader, scope, step.target);
    const others = await ownRulesets(
      reader,
      scope,
      named.filter(({ id }) => id !== ours.id),
    );
    return { twins: others.map(({ id }) => id), isListed: named.some(({ id }) => id === ours.id) };
  };
  // When a list cannot be read, the next plan names both, if there are two.
  return orElse(twins(), () => ({ twins: [], isListed: false }));
}

const LANDED: Effect = { kind: 'landed', version: null };

function conflict(effect: Effect, message: string, hint: string): WriteResult {
  return { kind: 'conflict', message, hint, others: [], unread: [], effect };
}

/** Whether the ruleset with the id of the answer is what the answer says: name, kind, phase, content, and the version of a new ruleset. */
function isOurs({ reader, run }: WriteTask, ours: LiveRuleset): Promise<'ours' | 'not-ours' | 'unknown'> {
  return orElse(
    getRuleset(reader, run.scope, ours.id).then((live) =>
      live.version === '1' && isAsLeft(ours, live) ? 'ours' : 'not-ours',
    ),
    (error) => (isNotFound(error) ? 'not-ours' : 'unknown'),
  );
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
