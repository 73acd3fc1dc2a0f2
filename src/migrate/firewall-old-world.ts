import type { Values } from '../expression/index.ts';
import type { OldFirewallRule } from '../model/firewall-conversion.ts';
import type { Evaluation } from '../simulate/index.ts';
import { compileCondition } from '../simulate/compile.ts';
import { PRODUCT_PHASES } from './firewall-rule.ts';

/** What old rules do with a request. */
export interface OldVerdict {
  /** The rule that ended the request; null when the request went on. */
  readonly end: OldFirewallRule | null;
  /** Rules that matched, in order, including the one that ended the request. */
  readonly acted: readonly OldFirewallRule[];
  /** Products that a bypass skipped, and the phases that replace them. */
  readonly skipped: ReadonlySet<string>;
}

/** Runs a request through old rules. */
export type OldWorld = (values: Values) => OldVerdict;

/**
 * Compiles the old engine (api.md 9.1): rules run in the order of execution; log and bypass go on, allow ends the old rules without ending the
 * request, and every other action ends the request. A rule that is paused, or whose filter is paused or deleted, does not match. Written from the
 * specification of old rules alone, because the conversion is judged by it.
 */
export function compileOldWorld(rules: readonly OldFirewallRule[], evaluation: Evaluation): OldWorld {
  const ready = rules.flatMap((rule) =>
    rule.paused || rule.filter.kind === 'deleted' || rule.filter.paused
      ? []
      : [{ rule, test: compileCondition(rule.filter.expression, evaluation).evaluate }],
  );
  return (values) => {
    const acted: OldFirewallRule[] = [];
    const skipped = new Set<string>();
    for (const { rule, test } of ready) {
      if (!test(values)) {
        continue;
      }
      acted.push(rule);
      switch (rule.action) {
        case 'log':
          break;
        case 'bypass':
          for (const product of rule.products) {
            skipped.add(product);
            const phase = PRODUCT_PHASES.get(product);
            if (phase !== undefined) {
              skipped.add(phase);
            }
          }
          break;
        case 'allow':
          return { end: null, acted, skipped };
        default:
          return { end: rule, acted, skipped };
      }
    }
    return { end: null, acted, skipped };
  };
}
