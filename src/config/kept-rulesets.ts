import { createTextStore } from '../files/text-store.ts';
import type { TextPlace } from '../files/text-store.ts';
import type { DesiredRuleset, RulesetOutline } from '../model/ruleset.ts';
import type { DesiredScope, ScopeOutline } from '../model/state.ts';

/** Bytes of compressed rules that stay in memory: about 40,000 rules of which no two are alike. */
const IN_MEMORY = 2 * 1024 * 1024;

/** The desired rulesets of all scopes, stored outside of the heap until they are needed. */
export interface KeptRulesets {
  /** Stores a ruleset under its outline, and returns the outline. */
  readonly keep: (outline: RulesetOutline, ruleset: DesiredRuleset) => RulesetOutline;
  /** Returns the desired state of a scope, with exactly the rulesets of its outline. */
  readonly open: (scope: ScopeOutline) => DesiredScope;
}

/** Starts empty. Reading a ruleset from here takes a twentieth of the time of parsing its file again. */
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
  // Zones of one file without variables of their own have the same rulesets, and are opened one after the other.
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
