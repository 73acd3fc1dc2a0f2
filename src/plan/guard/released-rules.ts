import { groupBy } from '../../model/group-by.ts';
import type { GuardFinding } from '../../model/guard.ts';
import type { Step } from '../../model/plan.ts';
import type { DesiredRuleset } from '../../model/ruleset.ts';
import { addressKey } from '../../model/ruleset.ts';
import { someNames } from '../../model/some-names.ts';
import { owns } from '../rules/ownership.ts';

/** The most rules, and the most scopes, that a finding names. */
const MOST_NAMED = 20;

/** A ruleset as the files declared it before and declare it now, and its planned step. */
export interface Redeclared {
  /** Label of its scope. */
  readonly scope: string;
  readonly before: DesiredRuleset;
  readonly now: DesiredRuleset;
  /** Absent when nothing changes. */
  readonly step?: Step | undefined;
}

/**
 * Finds rules that the files declared, no longer declare, and leave to others because `ownership` became narrower: they stay live. Rulesets
 * that release the same rules share one finding.
 */
export function findReleasedRules(rulesets: readonly Redeclared[]): readonly GuardFinding[] {
  const released = rulesets.flatMap(({ scope, ...one }) => {
    const names = releasedRules(one);
    return names.length === 0 ? [] : [{ scope, names, key: addressKey(one.now.address) }];
  });
  const alike = groupBy(released, ({ key, names }) => JSON.stringify([key, names]));
  return [...alike.values()].flatMap((group): readonly GuardFinding[] => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const scopes = someNames(
      group.map(({ scope }) => scope),
      MOST_NAMED,
    );
    const [are, stay, them] =
      first.names.length === 1
        ? ['1 rule is no longer managed', 'It stays', 'it']
        : [`${first.names.length} rules are no longer managed`, 'They stay', 'them'];
    const message =
      `${are} in ${first.key} of ${scopes}: ${someNames(first.names, MOST_NAMED)}. ${stay} live, since ownership leaves ${them} to others. ` +
      `To delete ${them} instead, take ${them} out of the file, apply, then change ownership`;
    return [{ kind: 'settings', effect: 'warn', message }];
  });
}

function releasedRules({ before, now, step }: Omit<Redeclared, 'scope'>): readonly string[] {
  if (now.presence === 'absent' || now.ownership.kind === 'all') {
    return [];
  }
  const declared = new Set(now.rules.flatMap(({ ref }) => ref ?? []));
  // A rule that is taken over continues under another name.
  const takenOver = new Set(
    step?.changes.flatMap((change) => (change.kind === 'patch' ? (change.adopts ?? []) : [])),
  );
  return before.rules.flatMap(({ ref }) =>
    ref === undefined || declared.has(ref) || takenOver.has(ref) || owns(now.ownership, { ref }) ? [] : [ref],
  );
}
