import type { RuleChange } from '../../model/change.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Outage } from './every-request.ts';
import type { About, RuleInPhase } from './phase-rules.ts';

/** Collects what changes newly do to every request, keeping the gravest effect of each change. */
export interface Gravest {
  readonly tell: (by: readonly RuleInPhase[], outage: Outage, textOf: (one: RuleInPhase) => string) => void;
  readonly texts: () => ReadonlyMap<RuleChange, string>;
}

/** Creates an empty collection. */
export function createGravest(): Gravest {
  const told = new Map<RuleChange, { readonly outage: Outage; readonly text: string }>();
  return {
    tell: (by, outage, textOf) => {
      for (const one of by) {
        if (one.change !== undefined && outage > (told.get(one.change)?.outage ?? 0)) {
          told.set(one.change, { outage, text: textOf(one) });
        }
      }
    },
    texts: () => new Map([...told].map(([change, { text }]) => [change, text])),
  };
}

/** Returns, of several changed rules that together reach more requests, those that do so by their own content; all if none does. */
export function grownAmong(
  changed: readonly RuleInPhase[],
  { from, to }: About['way'],
  alone: (content: RuleContent) => Outage,
): readonly RuleInPhase[] {
  const reach = (content: RuleContent | null): Outage => (content === null ? 0 : alone(content));
  const grown = changed.filter((one) => reach(one[to]) > reach(one[from]));
  return grown.length > 0 ? grown : changed;
}
