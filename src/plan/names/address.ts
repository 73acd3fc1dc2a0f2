import type { RulesetTarget } from '../../model/plan.ts';
import type { LiveRuleset, RulesetAddress } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';

/** Name that the service gives an entry point created without one (api.md 2.2). */
const ENTRYPOINT_NAME = 'default';

/** Returns the target of a step on the ruleset at an address. */
export function targetOf(scope: Scope, address: RulesetAddress, live: LiveRuleset | null): RulesetTarget {
  return address.kind === 'entrypoint'
    ? {
        kind: 'ruleset',
        level: scope.kind === 'zone' ? 'zone' : 'root',
        phase: address.phase,
        name: live?.name ?? ENTRYPOINT_NAME,
      }
    : { kind: 'ruleset', level: 'custom', phase: address.phase, name: address.name };
}

/** Returns the address of the ruleset that a step acts on. */
export function addressOf({ level, phase, name }: RulesetTarget): RulesetAddress {
  return level === 'custom' ? { kind: 'custom', phase, name } : { kind: 'entrypoint', phase };
}
