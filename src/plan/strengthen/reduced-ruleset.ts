import type { RuleChange } from '../../model/change.ts';
import type { CreateStep, UpdateStep } from '../../model/plan.ts';
import { changeKey, entryKey, isPlaced, orderAfter } from '../../model/rule-order.ts';
import type { DesiredRule } from '../../model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../model/ruleset.ts';
import type { Cause } from '../../model/source.ts';
import { isIgnored } from '../compare/ignore.ts';
import { owns } from '../rules/ownership.ts';

/** Which changes of a step are made, and what the step was planned from. */
export interface Reduction {
  readonly step: CreateStep | UpdateStep;
  /** The ruleset as the files want it; it also tells which rules are ours. */
  readonly desired: DesiredRuleset;
  readonly live: LiveRuleset | null;
  /** `changeKey`s of the changes that are made. */
  readonly accepted: ReadonlySet<string>;
}

/** A rule of the reduced list, with its `entryKey`. */
interface Listed {
  readonly key: string;
  readonly rule: DesiredRule;
}

/**
 * Returns the ruleset as files would declare it to ask for exactly the accepted changes: everything else is as it is live, with rules of others
 * as anchors for the places of ours. A new or moving rule goes after its nearest predecessor that already is where the step wants it.
 */
export function reducedRuleset({ step, desired, live, accepted }: Reduction): DesiredRuleset {
  const cause = step.cause ?? desired.cause;
  const made = new Map(
    step.changes.flatMap((change) => (accepted.has(changeKey(change)) ? [[changeKey(change), change]] : [])),
  );
  const { ownership, ignore = [] } = desired;
  const declared = new Set(desired.rules.flatMap(({ ref, id }) => [ref, id]));
  // A rule that may differ as a whole keeps its content; the files decide its place only if they name it.
  const isOurs = (ref: string, id: string): boolean =>
    owns(ownership, { ref }) && (!isIgnored(ignore, ref) || declared.has(ref) || declared.has(id));
  const list: Listed[] = (live?.rules ?? []).map(({ ref, id, content }): Listed => {
    const key = entryKey({ kind: 'live', id });
    const change = made.get(key);
    const kept: DesiredRule = { ref, id, adopt: false, content, exact: true, cause };
    const rule = change !== undefined ? changed(change, kept) : isOurs(ref, id) ? kept : anchored(kept);
    return { key, rule };
  });
  // Rules whose move is left out are not in the order of the step, so no rule is placed after them.
  const astray = new Set(
    step.changes.flatMap((change) =>
      isPlaced(change) && !made.has(changeKey(change)) ? [changeKey(change)] : [],
    ),
  );
  const order = orderAfter(step);
  order.forEach((entry, index) => {
    const change = made.get(entryKey(entry));
    if (change !== undefined && isPlaced(change)) {
      const at = list.findIndex(({ key }) => key === entryKey(entry));
      const [own] = at === -1 ? [] : list.splice(at, 1);
      const rule = own?.rule ?? added(change, cause);
      const before = order
        .slice(0, index)
        .findLast((other) => !astray.has(entryKey(other)) && list.some(({ key }) => key === entryKey(other)));
      const behind = before === undefined ? 0 : list.findIndex(({ key }) => key === entryKey(before)) + 1;
      list.splice(behind, 0, { key: entryKey(entry), rule });
    }
  });
  const { description: _description, ...rest } = desired;
  const described = typeof step.description === 'string' ? step.description : step.description?.after;
  return {
    ...rest,
    ...(described === undefined ? {} : { description: described }),
    rules: list.map(({ rule }) => rule),
  };
}

function anchored(rule: DesiredRule): DesiredRule {
  return { ...rule, anchor: true };
}

function changed(change: RuleChange, kept: DesiredRule): DesiredRule {
  return change.kind === 'patch'
    ? { ...kept, ref: change.ref, content: change.content, cause: change.cause }
    : change.kind === 'move'
      ? { ...kept, cause: change.cause }
      : kept;
}

function added(change: RuleChange, cause: Cause): DesiredRule {
  if (change.kind !== 'add') {
    throw new Error('a rule that lives is in the list');
  }
  return {
    ref: change.ref,
    adopt: false,
    content: change.content,
    exact: true,
    cause: change.cause ?? cause,
  };
}
