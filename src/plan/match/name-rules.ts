import { createHash } from 'node:crypto';
import { isTelling, canonicalContent, isOwnedRef } from '../../model/index.ts';
import { canonicalJson } from '../../data/index.ts';
import type { DesiredRule, RuleChange, RuleOwnership } from '../../model/index.ts';
import { compareContent } from '../compare/compare-rules.ts';
import { matchesStars } from '../../text/index.ts';

/** A desired rule with a `ref`, either the file's or a made-up one. A rule for which the file gives a `ref` is used as it is. */
export interface NamedRule extends DesiredRule {
  readonly ref: string;
  readonly madeUp?: true;
}

/**
 * Gives every rule a `ref` before anything is sent, so that a new rule can be found again after a write of unknown outcome. A made-up `ref`
 * depends only on the rule's content and on how many equal rules precede it, so that equal files give equal plans.
 */
export function nameRules(rules: readonly DesiredRule[]): readonly NamedRule[] {
  if (rules.every(hasRef)) {
    return rules;
  }
  const names = namesBeside(rules.flatMap((each) => each.ref ?? []));
  return rules.map((rule) => (hasRef(rule) ? rule : { ...rule, ref: makeRef(rule, names), madeUp: true }));
}

function hasRef(rule: DesiredRule): rule is NamedRule {
  return rule.ref !== undefined;
}

/**
 * Replaces made-up refs of new rules that a live rule bears already, such as a rule that was edited since and kept its `ref`. `liveOf` gives
 * the live rule of each desired one.
 */
export function keepRefsApart(
  rules: readonly NamedRule[],
  live: readonly { readonly ref: string }[],
  liveOf: readonly (number | undefined)[],
): readonly NamedRule[] {
  if (rules.every((rule, index) => rule.madeUp !== true || liveOf[index] !== undefined)) {
    return rules;
  }
  const borne = new Set(live.map(({ ref }) => ref));
  const names = namesBeside([...borne, ...rules.map(({ ref }) => ref)]);
  return rules.map((rule, index) =>
    rule.madeUp !== true || liveOf[index] !== undefined || !borne.has(rule.ref)
      ? rule
      : { ...rule, ref: makeRef(rule, names) },
  );
}

/** The names in a ruleset. */
interface Names {
  readonly taken: Set<string>;
  /** How many copies of a content have been tried, so that many equal rules do not each begin anew. */
  readonly copies: Map<string, number>;
}

function namesBeside(refs: readonly string[]): Names {
  return { taken: new Set(refs), copies: new Map() };
}

/** Makes up a free `ref` from the rule's content, and takes it. */
function makeRef(rule: DesiredRule, { taken, copies }: Names): string {
  const text = canonicalJson(canonicalContent(rule.content));
  for (let copy = copies.get(text) ?? 0; ; copy += 1) {
    const ref = `rw-${createHash('sha256').update(`${copy}:${text}`).digest('hex').slice(0, 16)}`;
    if (!taken.has(ref)) {
      taken.add(ref);
      copies.set(text, copy + 1);
      return ref;
    }
  }
}

/** Whether nobody chose the `ref` of a live rule, because the service or Rulewright made it up. */
export function isNameless(rule: { readonly id: string; readonly ref: string }): boolean {
  return rule.ref === rule.id || !isTelling(rule.ref);
}

/**
 * Whether a change only gives a live rule its first name. Decided by the contents rather than the fields, since the fields of a plan that hides
 * a value could say anything.
 */
export function isNaming(change: RuleChange): boolean {
  return (
    change.kind === 'patch' &&
    change.adopts !== undefined &&
    isNameless({ id: change.id, ref: change.adopts }) &&
    change.move === undefined &&
    compareContent(change.before, change.content).kind !== 'different'
  );
}

/** Whether a live rule is ours to change. With `patterns`, a nameless rule is ours only if a pattern equals its `ref`. */
export function owns(ownership: RuleOwnership, rule: { readonly ref: string }): boolean {
  return ownership.kind === 'all' || isOwnedRef(ownership.patterns, rule.ref);
}

/** Whether a `ref` matches one of the patterns, in which `*` stands for any text. */
export function matchesAny(patterns: readonly string[], ref: string): boolean {
  return patterns.some((pattern) => matchesStars(pattern, ref));
}
