import { createHash } from 'node:crypto';
import { isTelling } from '../../model/described-name.ts';
import { canonicalJson } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { DesiredRule } from '../../model/rule.ts';

/** A desired rule that has a `ref`: that of the file, or one that was made up. A rule of the file is one as it is. */
export interface NamedRule extends DesiredRule {
  readonly ref: string;
  readonly madeUp?: true;
}

/**
 * Gives every rule a `ref` before anything is sent, so that a new rule can be found again after a
 * write of unknown outcome. A made-up `ref` depends only on the rule's content and on how many equal
 * rules stand before it, so that the same files give the same plan.
 */
export function nameRules(rules: readonly DesiredRule[]): readonly NamedRule[] {
  if (rules.every(hasRef)) {
    return rules;
  }
  const taken = new Set(rules.flatMap((each) => each.ref ?? []));
  return rules.map((rule) => (hasRef(rule) ? rule : { ...rule, ref: makeRef(rule, taken), madeUp: true }));
}

function hasRef(rule: DesiredRule): rule is NamedRule {
  return rule.ref !== undefined;
}

/**
 * The desired rules with other made-up refs where a live rule that is not theirs bears one already, such as
 * a rule that was edited since and kept its name. `liveOf` tells which of them live.
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
  const taken = new Set([...borne, ...rules.map(({ ref }) => ref)]);
  return rules.map((rule, index) =>
    rule.madeUp !== true || liveOf[index] !== undefined || !borne.has(rule.ref)
      ? rule
      : { ...rule, ref: makeRef(rule, taken) },
  );
}

/** A name made of the rule's content that nobody has taken; takes it. */
function makeRef(rule: DesiredRule, taken: Set<string>): string {
  const text = canonicalJson(canonicalContent(rule.content));
  for (let copy = 0; ; copy += 1) {
    const ref = `rw-${createHash('sha256').update(`${copy}:${text}`).digest('hex').slice(0, 16)}`;
    if (!taken.has(ref)) {
      taken.add(ref);
      return ref;
    }
  }
}

/** Whether nobody chose the `ref` of a live rule: the service made it up, or we did. */
export function isNameless(rule: { readonly id: string; readonly ref: string }): boolean {
  return rule.ref === rule.id || !isTelling(rule.ref);
}
