import {
  formerRef,
  isReplaced,
  redactIn,
  redactFields,
  redactionsBetween,
  shownText,
  descriptionBeside,
  orderBefore,
  ruleToWire,
  isHidden,
} from '../../model/index.ts';
import { jsonEqual } from '../../data/index.ts';
import type {
  ChangedLiveRule,
  LiveDifference,
  LiveRuleName,
  Step,
  LiveRule,
  LiveRuleset,
  VersionChanges,
} from '../../model/index.ts';
import { fieldChanges } from '../compare/compare-rules.ts';
import { heaviestIncreasing } from '../match/arrange.ts';

/**
 * Compares two versions of a live ruleset; null stands for no ruleset. Rules are identified by id, and contents are compared as the service
 * gave them: every change counts here.
 */
export function liveDifference(before: LiveRuleset | null, after: LiveRuleset | null): LiveDifference {
  const left = before?.rules ?? [];
  const right = after?.rules ?? [];
  const old = new Map(left.map((rule) => [rule.id, rule]));
  const { phase = '' } = after ?? before ?? {};
  const description = [before?.description ?? '', after?.description ?? ''] as const;
  return {
    from: before?.version ?? null,
    to: after?.version ?? null,
    ...namesThatDiffer(left, right),
    changed: right.flatMap((rule): readonly ChangedLiveRule[] => {
      const same = old.get(rule.id);
      const fields = same === undefined ? [] : wireChanges(same, rule, phase);
      return fields.length === 0 ? [] : [{ ...liveRuleName(rule), fields }];
    }),
    moved: movedRules(left, right),
    ...(description[0] === description[1] || before === null || after === null
      ? {}
      : { description: { before: shownText(description[0]), after: shownText(description[1]) } }),
    complete: true,
  };
}

/**
 * Like `liveDifference`, but with the older version known only from a step that was planned on it: all its rules, but contents and names only
 * of those that the step changes.
 */
export function differenceFromStep(step: Step, after: LiveRuleset | null): LiveDifference {
  const before = step.operation === 'create' ? [] : liveNames(step);
  const right = after?.rules ?? [];
  const now = new Map(right.map((rule) => [rule.id, rule]));
  const changed = step.changes.filter(isReplaced).flatMap((change): readonly ChangedLiveRule[] => {
    const rule = now.get(change.id);
    if (rule === undefined) {
      return [];
    }
    const fields = wireChanges(
      { id: change.id, ref: formerRef(change), content: change.before },
      rule,
      step.target.phase,
    );
    return fields.length === 0 ? [] : [{ ...liveRuleName(rule), fields }];
  });
  return {
    from: step.base.kind === 'version' ? step.base.version : null,
    to: after?.version ?? null,
    ...namesThatDiffer(before, right),
    changed,
    moved: [],
    complete: false,
  };
}

function liveNames(step: Step): readonly LiveRuleName[] {
  const refs = new Map(
    step.changes.flatMap((change) => (change.kind === 'add' ? [] : [[change.id, formerRef(change)]])),
  );
  return orderBefore(step).map((id) => ({ id, ref: refs.get(id) ?? id }));
}

function namesThatDiffer(
  before: readonly (LiveRuleName | LiveRule)[],
  after: readonly LiveRule[],
): Pick<LiveDifference, 'added' | 'removed'> {
  const old = new Set(before.map((rule) => rule.id));
  const now = new Set(after.map((rule) => rule.id));
  return {
    added: after.filter((rule) => !old.has(rule.id)).map(liveRuleName),
    removed: before.filter((rule) => !now.has(rule.id)).map(liveRuleName),
  };
}

/** Returns the names of a rule, with its description if its `ref` is not telling. */
export function liveRuleName(rule: LiveRuleName | LiveRule): LiveRuleName {
  const { id, ref } = rule;
  const description = 'content' in rule ? rule.content.description : (rule.description ?? '');
  return { id, ref, ...descriptionBeside(ref, shownText(description)) };
}

/** Returns the changed fields, secrets redacted. A value that the plan hid already and that may be unchanged is left out. */
function wireChanges(before: LiveRule, after: LiveRule, phase: string): ChangedLiveRule['fields'] {
  const [from, to] = [ruleToWire(before), ruleToWire(after)];
  const redactions = redactionsBetween(phase, from, to);
  const fields = fieldChanges(from, to).filter(
    (field) =>
      field.kind !== 'changed' ||
      !isHidden(JSON.stringify(field.before)) ||
      !jsonEqual(field.before, redactIn(field.after, redactions)),
  );
  return redactFields(fields, redactions);
}

function movedRules(before: readonly LiveRule[], after: readonly LiveRule[]): readonly LiveRuleName[] {
  const place = new Map(before.map((rule, index) => [rule.id, index]));
  const stayed = after.filter((rule) => place.has(rule.id));
  const chain = heaviestIncreasing(stayed.map((rule) => ({ position: place.get(rule.id) ?? 0, weight: 1 })));
  return stayed.filter((_rule, index) => !chain.has(index)).map(liveRuleName);
}

/**
 * Returns which rules changed between two versions of a ruleset; a rule that changed and moved is in both lists. Descriptions are taken from
 * the rules as `shown` returns them.
 */
export function versionChanges(
  before: LiveRuleset,
  after: LiveRuleset,
  shown: (rule: LiveRule) => LiveRule,
): VersionChanges {
  const { added, changed, removed, moved, description } = liveDifference(before, after);
  const rules = new Map([...before.rules, ...after.rules].map((rule) => [rule.id, rule]));
  const named = (names: readonly LiveRuleName[]): readonly LiveRuleName[] =>
    names.map((name) => {
      const rule = rules.get(name.id);
      return rule === undefined ? name : liveRuleName(shown(rule));
    });
  return {
    against: before.version,
    added: named(added),
    changed: named(changed),
    deleted: named(removed),
    moved: named(moved),
    description: description !== undefined,
  };
}
