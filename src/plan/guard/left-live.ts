import { isReplaced } from '../../model/change.ts';
import type { PlanNote, Step } from '../../model/plan.ts';
import { oneLine } from '../../model/one-line.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import { addressKey, addressOfRuleset } from '../../model/ruleset.ts';
import { executedReference } from '../../model/ruleset-references.ts';
import type { LiveScope } from '../../model/state.ts';
import { rulesLeft } from './referenced.ts';

/**
 * Notes the custom rulesets that no rule executes any more and that nobody declares, as after a new name in the files: nothing is planned for
 * them, and no later plan or drift mentions them.
 */
export function leftLiveNotes(
  steps: readonly Step[],
  live: LiveScope,
  wanted: readonly DesiredRuleset[],
): readonly PlanNote[] {
  const dropped = steps.flatMap((step) =>
    step.changes.filter(isReplaced).flatMap((change) => {
      const reference = executedReference(change.before);
      const head = live.catalogue.find(({ id, kind }) => kind === 'custom' && id === reference);
      return head === undefined ? [] : [{ step, change, head }];
    }),
  );
  if (dropped.length === 0) {
    return [];
  }
  const executed = new Set(rulesLeft(steps, live).map(({ content }) => executedReference(content)));
  const declared = new Set(wanted.map(({ address }) => addressKey(address)));
  const left = dropped.filter(
    ({ head }, index) =>
      !executed.has(head.id) &&
      !declared.has(addressKey(addressOfRuleset(head))) &&
      dropped.findIndex((one) => one.head.id === head.id) === index,
  );
  return left.map(({ step, change, head }) => ({
    kind: 'left-live',
    step: step.id,
    rule: change.ref,
    message: `the files neither execute nor declare the custom ruleset ${oneLine(head.name)} (${head.id}): it stays live, with its rules. To delete it, declare its name with absent: true`,
  }));
}
