import type { LockedRuleset, ManagedLock } from '../../model/managed-lock.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Deployment } from './deployments.ts';

/** The lock of all deployments of a project; sorted, so that the same service and files give the same lock. */
export function makeLock(
  deployments: readonly Deployment[],
  managed: ReadonlyMap<string, LiveRuleset>,
): ManagedLock {
  const rulesets = [...managed.values()].map((ruleset) =>
    lockRuleset(
      ruleset,
      deployments.filter((one) => one.managed.id === ruleset.id),
    ),
  );
  return { rulesets: rulesets.sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

function lockRuleset(
  { id, name, version, rules }: LiveRuleset,
  deployments: readonly Deployment[],
): LockedRuleset {
  const meets = new Map<string, Set<string>>();
  for (const { key, meets: meetsRule } of deployments.flatMap(({ selectors }) => selectors)) {
    const met = meets.get(key) ?? new Set();
    meets.set(key, met);
    for (const rule of rules.filter((one) => meetsRule(one))) {
      met.add(rule.id);
    }
  }
  const sorted = [...meets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, ids]) => [key, [...ids].sort()] as const);
  return { id, name, version, meets: new Map(sorted) };
}
