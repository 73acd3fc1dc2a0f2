import type { RuleChange } from '../../model/change.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Outage } from './every-request.ts';
import type { About, RuleInPhase } from './phase-rules.ts';

/** What changes come to do to every request, each told as the gravest that was found of it. */
export interface Gravest {
  readonly tell: (by: readonly RuleInPhase[], outage: Outage, textOf: (one: RuleInPhase) => string) => void;
  readonly texts: () => ReadonlyMap<RuleChange, string>;
}

/** Nothing told yet. */
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

/** Of several changes that together come to reach more requests, those that do by what they alone say; all where none does. */
export function grownAmong(
  changed: readonly RuleInPhase[],
  { from, to }: About['way'],
  alone: (content: RuleContent) => Outage,
): readonly RuleInPhase[] {
  const reach = (content: RuleContent | null): Outage => (content === null ? 0 : alone(content));
  const grown = changed.filter((one) => reach(one[to]) > reach(one[from]));
  return grown.length > 0 ? grown : changed;
}
