import type { ReadClient } from '../../api/client.ts';
import { getEntrypoint } from '../../api/rulesets.ts';
import type { MigrationConfiguration } from '../../api/waf-migration.ts';
import type { PlannedScope } from '../../model/plan.ts';
import type { Base } from '../../model/base.ts';
import { contentToWire } from '../../model/rule-fields.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import { MANAGED_PHASE } from '../../model/waf-migration.ts';
import type { Expectation } from '../../plan/requests/expect.ts';
import { describeDeviation, deviations, expectAfter } from '../../plan/requests/expect.ts';
import { writesOf } from '../../plan/requests/writes.ts';

/** Returns the base of the managed rules in a plan; null if the plan has none. */
export function baseOf(plan: PlannedScope): Base | null {
  return (
    plan.bases.find(({ target }) => target.level === 'zone' && target.phase === MANAGED_PHASE)?.base ?? null
  );
}

/** Returns the whole entry point that the files declare, because a migration writes all of it. */
export function expectationOf(plan: PlannedScope, live: LiveRuleset | null): Expectation {
  const [step] = plan.steps;
  const [planned] = step === undefined ? [] : writesOf(step, 'ruleset');
  return (
    (planned === undefined ? null : expectAfter(live, planned)) ?? {
      description: live?.description ?? '',
      rules: live?.rules ?? [],
    }
  );
}

/** Returns the expected entry point as the body of the PUT. */
export function configurationOf({ description, rules }: Expectation): MigrationConfiguration {
  return {
    ...(description === '' ? {} : { description }),
    rules: rules.map(({ id, ref, content }) => ({
      ...(id === null ? {} : { id }),
      ref,
      ...contentToWire(content),
    })),
  };
}

/** Returns how the live managed rules differ from those that were sent. */
export async function differencesTo(
  client: ReadClient,
  scope: Scope,
  expected: Expectation,
): Promise<readonly string[]> {
  const live = await getEntrypoint(client, scope, MANAGED_PHASE);
  return live === null ? ['there are none'] : deviations(expected, live).map(describeDeviation);
}
