import { openReadClient } from '../api/client.ts';
import { listRulesets } from '../api/rulesets.ts';
import { createManagedRulesets } from '../live/managed-rulesets.ts';
import { RulewrightError } from '../model/error.ts';
import type { Plan } from '../model/plan.ts';
import { addressKey } from '../model/ruleset.ts';
import { guardScope } from '../plan/guard/guard-scope.ts';
import { hideInVersion } from '../plan/hide-in-version.ts';
import { withoutExpired } from '../plan/ignore.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Share } from '../plan/reverse/share.ts';
import { addressOfRuleset, planRollback } from '../plan/rollback.ts';
import type { Report } from './events.ts';
import { explainPlan } from './requests/explain-plan.ts';
import type { FoundRuleset } from './planning/find-ruleset.ts';
import type { Guards } from './project/project-guards.ts';
import type { RulesetChoice } from './planning/ruleset-choice.ts';
import { readVersion, requireOurs, rulesToday, tokenEnvOf, withRuleset } from './planning/ruleset-choice.ts';
import type { ServiceOptions } from './service/service-options.ts';

/** Which version of which ruleset, and how much of it. */
export interface RollbackChoice extends RulesetChoice {
  readonly version: string;
  /** Our share of the ruleset, as `ownership` and `ignore` say it, or all of it. */
  readonly extent: 'share' | 'whole';
}

/**
 * The plan that gives a ruleset the rules of an earlier version again. Writes nothing. Throws
 * `rollback/unknown-ownership` when the files cannot say whose rules are whose and not all are to go back.
 */
export function rollbackPlan(choice: RollbackChoice, options: ServiceOptions, report: Report): Promise<Plan> {
  const { guards, extent } = choice;
  if (extent === 'share' && guards.files === 'invalid') {
    throw new RulewrightError('the files are not valid, so whose rules are whose is not known', {
      code: 'rollback/unknown-ownership',
      fault: 'user',
      hint: 'rulewright validate says what is wrong with them; --whole-ruleset goes back whole, rules of others included',
    });
  }
  const tokenEnv = tokenEnvOf(choice);
  return withRuleset(choice, { options, open: openReadClient, report }, async (found, client, identity) => {
    const { scope, live } = found;
    requireOurs(live);
    const read = await readVersion(client, found, choice.version);
    const version = hideInVersion(read, rulesToday(choice, found), 'restore');
    const listed = await listRulesets(client, scope);
    const catalogue = listed.filter(({ kind }) => kind === 'managed');
    const plan = planRollback({ scope, live, version, catalogue, share: shareOf(guards, found), extent });
    if (plan.kind === 'failed') {
      return makePlan(identity, [plan]);
    }
    const { safety, today } = guards;
    const own = { ...plan, ...(tokenEnv === undefined ? {} : { tokenEnv }) };
    const explained = await explainPlan(own, { client, managed: createManagedRulesets(), catalogue });
    return makePlan(identity, [guardScope(explained, safety, today)]);
  });
}

/** What of a ruleset is ours: what the files say where they declare it, else what the project says. */
function shareOf({ scopes, ownership, today }: Guards, { scope, live }: FoundRuleset): Share {
  const address = addressKey(addressOfRuleset(live));
  const declared = scopes
    .filter(({ scope: { kind, name } }) => kind === scope.kind && (name === scope.name || name === scope.id))
    .flatMap((one) => withoutExpired(one, today).rulesets)
    .find((ruleset) => addressKey(ruleset.address) === address);
  return declared === undefined
    ? { ownership, place: 'last', ignore: [], description: ownership.kind === 'all' }
    : {
        ownership: declared.ownership,
        place: declared.place,
        ignore: declared.ignore ?? [],
        description: declared.ownership.kind === 'all' || declared.description !== undefined,
      };
}
