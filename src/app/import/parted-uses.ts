import type { WholeScope } from '../../live/index.ts';
import type { DeclaredRuleset } from '../../config/index.ts';
import { locateValue } from '../../config/index.ts';
import { describedNameOf, describedName, causeText, startOf } from '../../model/index.ts';
import { groupBy, textOf } from '../../data/index.ts';
import type { DesiredRuleset, DesiredScope } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import { planScope } from '../../plan/index.ts';
import { entriesOf } from './live-entries.ts';
import type { PlacedItem, PlacedList } from './place-uses.ts';

/** The ruleset whose list of rules was put in live order. */
interface PlacedRuleset {
  readonly scope: DesiredScope;
  readonly desired: DesiredRuleset;
  readonly declared: DeclaredRuleset;
  /** The item of the file's list that each declared rule comes from. */
  readonly items: readonly (number | undefined)[];
  readonly whole: WholeScope;
}

/** The most rules that a message names. */
const MAX_NAMED = 5;

/**
 * Reports live rules that stand between the rules of a pack, which no file can say since it uses a pack as a whole, and what a plan
 * then moves.
 */
export function partedUses({ order, parted }: PlacedList, ruleset: PlacedRuleset): readonly string[] {
  const { document, path, rules } = ruleset.declared;
  const moved = parted.length === 0 ? [] : movedRules(order, ruleset);
  const then = moved.length === 0 ? '' : `: the next apply moves ${someNames(moved, MAX_NAMED)}`;
  return [...groupBy(parted, ({ item }) => item)].map(([item, all]) => {
    const between = all.flatMap((one) => one.between);
    const names = between.map(({ live }) => describedName(live.ref, live.content.description));
    const pack = textOf(rules[item]?.value['use']);
    const place = causeText(startOf(locateValue(document, [...path, 'rules', item, 'use'])));
    const stand = names.length === 1 ? 'stands' : 'stand';
    return `live, ${someNames(names, MAX_NAMED)} ${stand} between rules of the pack ${pack} (${place}), which no file can say${then}`;
  });
}

/** Names the rules that a plan still moves once the file has its list in live order. */
function movedRules(
  order: readonly PlacedItem[],
  { scope, desired, items, whole }: PlacedRuleset,
): readonly string[] {
  const rules = order.flatMap((one) => {
    if (one.kind === 'use') {
      return desired.rules.filter((_, at) => items[at] === one.item);
    }
    const { ref, content } = one.follow.live;
    return [{ ref, content, adopt: false, cause: desired.cause }];
  });
  const rulesets = [{ ...desired, rules }];
  const entries = entriesOf(whole, rulesets);
  const plan = planScope(
    { ...scope, rulesets, rulesetOwnership: 'declared' },
    { scope: whole.scope, entries, catalogue: whole.catalogue },
  );
  const changes = plan.kind === 'failed' ? [] : plan.steps.flatMap((step) => step.changes);
  return changes.flatMap((change) => (change.kind === 'move' ? [describedNameOf(change)] : []));
}
