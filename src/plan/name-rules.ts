import { createHash } from 'node:crypto';
import { canonicalJson } from '../model/json.ts';
import { canonicalContent } from '../model/normalise.ts';
import type { DesiredRule } from '../model/rule.ts';

/** A desired rule that has a `ref`; `given` tells whether the file chose it. */
export interface NamedRule extends DesiredRule {
  readonly ref: string;
  readonly given: boolean;
}

/**
 * Gives every rule a `ref` before anything is sent, so that a new rule can be found again after a
 * write of unknown outcome. A made-up `ref` depends only on the rule's content and on how many equal
 * rules stand before it, so that the same files give the same plan.
 */
export function nameRules(rules: readonly DesiredRule[]): readonly NamedRule[] {
  let taken: Set<string> | undefined;
  return rules.map((rule) => {
    if (rule.ref !== undefined) {
      return { ...rule, ref: rule.ref, given: true };
    }
    taken ??= new Set(rules.flatMap((each) => each.ref ?? []));
    return { ...rule, ref: makeRef(rule, taken), given: false };
  });
}

/**
 * The desired rules with other made-up refs where a live rule that is not theirs bears one already, such as
 * a rule that was edited since and kept its name. `matched` are the indices of rules that live.
 */
export function keepRefsApart(
  rules: readonly NamedRule[],
  live: readonly { readonly ref: string }[],
  matched: ReadonlySet<number>,
): readonly NamedRule[] {
  if (rules.every((rule, index) => rule.given || matched.has(index))) {
    return rules;
  }
  const borne = new Set(live.map(({ ref }) => ref));
  const taken = new Set([...borne, ...rules.map(({ ref }) => ref)]);
  return rules.map((rule, index) =>
    rule.given || matched.has(index) || !borne.has(rule.ref) ? rule : { ...rule, ref: makeRef(rule, taken) },
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
