import { isWritten } from '../../model/change.ts';
import { memoise } from '../../model/memoise.ts';
import type { Step } from '../../model/plan.ts';
import { executedReference } from '../../model/ruleset-references.ts';
import type { LiveRuleset, LiveRulesetHead, RulesetAddress } from '../../model/ruleset.ts';
import { addressOfRuleset } from '../../model/ruleset.ts';
import { slug } from '../../model/slug.ts';
import type { LiveScope } from '../../model/state.ts';
import type { ExecutedRuleset, ExecutedRulesets } from './stand.ts';

/**
 * Returns a look-up of a scope's custom rulesets, with the contents of their rules before and after a plan, as far as they were read. `stepAt`
 * gives the plan's step for a ruleset; it is called only when a rule executes the ruleset.
 */
export function executedRulesets(
  { entries, users = [], catalogue }: LiveScope,
  stepAt: (address: RulesetAddress) => Step | null | undefined,
): ExecutedRulesets {
  const rulesetOf = (address: RulesetAddress, name: string, live: LiveRuleset | null): ExecutedRuleset => ({
    name,
    rules: [
      ...(live?.rules ?? []).map(({ content }) => content),
      ...(stepAt(address)?.changes ?? []).filter(isWritten).map(({ content }) => content),
    ],
  });
  return memoise((reference: string): ExecutedRuleset | undefined => {
    for (const { address, slot } of entries) {
      const live = slot.kind === 'present' ? slot.ruleset : null;
      if (address.kind === 'custom' && reference === (live?.id ?? `custom:${slug(address.name)}`)) {
        return rulesetOf(address, address.name, live);
      }
    }
    const read = users.find(({ id }) => id === reference);
    if (read !== undefined) {
      return rulesetOf(addressOfRuleset(read), read.name, read);
    }
    const head = catalogue.find(({ id, kind }) => id === reference && kind === 'custom');
    return head === undefined ? undefined : { name: head.name, rules: undefined };
  });
}

/** Returns the custom rulesets that were not read and that changed rules execute before or after. */
export function unreadExecuted(
  steps: readonly Step[],
  { entries, users = [], catalogue }: LiveScope,
): readonly LiveRulesetHead[] {
  const rulesets = entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset] : []));
  const read = new Set([...rulesets, ...users].map(({ id }) => id));
  const unread = catalogue.filter(({ id, kind }) => kind === 'custom' && !read.has(id));
  if (unread.length === 0) {
    return [];
  }
  const before = new Map(
    rulesets.flatMap(({ rules }) =>
      rules.map(({ id, content }) => [id, executedReference(content)] as const),
    ),
  );
  const executed = new Set(
    steps.flatMap(({ changes }) =>
      changes.flatMap((change) => [
        change.kind === 'add' ? undefined : before.get(change.id),
        isWritten(change) ? executedReference(change.content) : undefined,
      ]),
    ),
  );
  return unread.filter(({ id }) => executed.has(id));
}
