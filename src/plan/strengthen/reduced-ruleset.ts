import type { RuleChange } from '../../model/change.ts';
import type { CreateStep, UpdateStep } from '../../model/plan.ts';
import { changeKey, entryKey, isPlaced, orderAfter } from '../../model/rule-order.ts';
import type { DesiredRule } from '../../model/rule.ts';
import type { DesiredRuleset, LiveRuleset } from '../../model/ruleset.ts';
import type { Cause } from '../../model/source.ts';
import { isIgnored } from '../compare/ignore.ts';
import { owns } from '../rules/ownership.ts';

/** What is made of a step, and what it was made from. */
export interface Reduction {
  readonly step: CreateStep | UpdateStep;
  /** The ruleset as the files want it; whose rules are ours is told there. */
  readonly desired: DesiredRuleset;
  readonly live: LiveRuleset | null;
  /** The changes that are made, by `changeKey`. */
  readonly accepted: ReadonlySet<string>;
}

/** A rule of the reduced list, and where it stands in the order of the step. */
interface Listed {
  readonly key: string;
  readonly rule: DesiredRule;
}

/**
 * The ruleset as files would want it that ask for the accepted changes and no more: all else is as it is live, rules of others
 * among it, which tell where ours stand. A rule that is new or moves goes behind its nearest predecessor that stands where the step wants it.
 */
export function reducedRuleset({ step, desired, live, accepted }: Reduction): DesiredRuleset {
  const cause = step.cause ?? desired.cause;
  const made = new Map(
    step.changes.flatMap((change) => (accepted.has(changeKey(change)) ? [[changeKey(change), change]] : [])),
  );
  const { ownership, ignore = [] } = desired;
  const declared = new Set(desired.rules.flatMap(({ ref, id }) => [ref, id]));
  // What may differ as a whole keeps its content; where it stands, the files say if they name it.
  const isOurs = (ref: string, id: string): boolean =>
    owns(ownership, { ref }) && (!isIgnored(ignore, ref) || declared.has(ref) || declared.has(id));
  const list: Listed[] = (live?.rules ?? []).map(({ ref, id, content }): Listed => {
    const key = entryKey({ kind: 'live', id });
    const change = made.get(key);
    const kept: DesiredRule = { ref, id, adopt: false, content, exact: true, cause };
    const rule = change !== undefined ? changed(change, kept) : isOurs(ref, id) ? kept : anchored(kept);
    return { key, rule };
  });
  // Rules that the step moves and this run does not are no place to go behind.
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
