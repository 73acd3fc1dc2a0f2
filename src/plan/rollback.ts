import type { ScopePlan } from '../model/plan.ts';
import type { LiveRuleset, LiveRulesetHead, RulesetAddress } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import type { Cause } from '../model/source.ts';
import { restoreScope } from './reverse/restore-scope.ts';

/** A ruleset, one of its versions, and what surrounds it. */
export interface RollbackInput {
  readonly scope: Scope;
  readonly live: LiveRuleset;
  readonly version: LiveRuleset;
  /** Managed rulesets that the scope sees. */
  readonly catalogue: readonly LiveRulesetHead[];
}

/**
 * The plan that gives a ruleset the rules of one of its versions again. Rules that still live keep their
 * id; those that are gone come back with their `ref` and a new id, and the notes say so.
 */
export function planRollback({ scope, live, version, catalogue }: RollbackInput): ScopePlan {
  const cause: Cause = { file: `versions/${version.version}`, line: 1, column: 1 };
  const rulesets = [{ address: addressOf(live), before: version, live }];
  return restoreScope({ scope, rulesets, catalogue, cause });
}

function addressOf({ kind, phase, name }: LiveRuleset): RulesetAddress {
  return kind === 'custom' ? { kind, phase, name } : { kind: 'entrypoint', phase };
}
