import type { RuleChange, RuleContent } from '../../model/index.ts';
import type { About, RuleInPhase } from './phase-rules.ts';
import type { TrafficShare } from './every-request.ts';

/** Collects what changes newly do to every request, keeping the most severe effect of each change. */
export interface WorstEffects {
  readonly tell: (
    by: readonly RuleInPhase[],
    share: TrafficShare,
    textOf: (one: RuleInPhase) => string,
  ) => void;
  readonly texts: () => ReadonlyMap<RuleChange, string>;
}

/** Creates an empty collection. */
export function createWorstEffects(): WorstEffects {
  const told = new Map<RuleChange, { readonly share: TrafficShare; readonly text: string }>();
  return {
    tell: (by, share, textOf) => {
      for (const one of by) {
        if (one.change !== undefined && share > (told.get(one.change)?.share ?? 0)) {
          told.set(one.change, { share, text: textOf(one) });
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
  alone: (content: RuleContent) => TrafficShare,
): readonly RuleInPhase[] {
  const reach = (content: RuleContent | null): TrafficShare => (content === null ? 0 : alone(content));
  const grown = changed.filter((one) => reach(one[to]) > reach(one[from]));
  return grown.length > 0 ? grown : changed;
}
