import { createTextStore } from '../files/text-store.ts';
import type { TextPlace } from '../files/text-store.ts';
import type { DesiredRuleset, RulesetOutline } from '../model/ruleset.ts';
import type { DesiredScope, ScopeOutline } from '../model/state.ts';

/** Bytes of compressed rules that stay in memory: of 40,000 rules, if no two are alike. */
const IN_MEMORY = 2 * 1024 * 1024;

/** What the files want of rulesets, out of the way until their turn comes. */
export interface KeptRulesets {
  /** Keeps a ruleset under its outline, and answers that. */
  readonly keep: (outline: RulesetOutline, ruleset: DesiredRuleset) => RulesetOutline;
  /** What the files want of a scope, and of no other rulesets than the outline has. */
  readonly open: (scope: ScopeOutline) => DesiredScope;
}

/** Begins with none. To read them from here takes a twentieth of what it takes to parse their files again. */
export function createKeptRulesets(): KeptRulesets {
  const store = createTextStore({ inMemory: IN_MEMORY });
  const places = new Map<RulesetOutline, TextPlace>();
  const read = (outline: RulesetOutline): DesiredRuleset => {
    const place = places.get(outline);
    if (place === undefined) {
      throw new TypeError('a ruleset is opened that was not kept');
    }
    return JSON.parse(store.read(place));
  };
  // Zones of one file without variables of their own want the same, and come one after the other.
  let last: Pick<DesiredScope, 'rulesets'> & { readonly outlines: readonly RulesetOutline[] } = {
    outlines: [],
    rulesets: [],
  };
  return {
    keep(outline, ruleset) {
      places.set(outline, store.add(JSON.stringify(ruleset)));
      return outline;
    },
    open(scope) {
      const outlines = scope.rulesets;
      if (!areSame(outlines, last.outlines)) {
        last = { outlines, rulesets: outlines.map(read) };
      }
      return { ...scope, rulesets: last.rulesets };
    },
  };
}

function areSame(some: readonly RulesetOutline[], others: readonly RulesetOutline[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
