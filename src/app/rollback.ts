import { openReadClient, listRulesets } from '../api/index.ts';
import { createManagedRulesets } from '../live/index.ts';
import type {
  RuleChange,
  Plan,
  DesiredRuleset,
  RulesetAddress,
  Scope,
  DesiredScope,
  SensitiveValue,
} from '../model/index.ts';
import {
  declaredScopesOf,
  RulewrightError,
  addressKey,
  addressOfRuleset,
  plannedScopes,
} from '../model/index.ts';
import {
  guardScope,
  hideSecrets,
  formerRules,
  hideInVersion,
  withoutExpired,
  addressOf,
  makePlan,
  planRollback,
  valuesToRestore,
} from '../plan/index.ts';
import type { RestoredShare } from '../plan/index.ts';
import type { OnEvent } from './run/events.ts';
import { explainPlan } from './managed/explain-plan.ts';
import type { FoundRuleset } from './planning/find-ruleset.ts';
import type { Guards } from './project/project-guards.ts';
import { requireKnownPlaces } from './project/known-places.ts';
import type { RulesetChoice } from './planning/ruleset-choice.ts';
import { readVersion, requireOurs, rulesetThen, withRuleset } from './planning/ruleset-choice.ts';
import type { ServiceOptions } from './service/service-options.ts';

/** The version that a ruleset goes back to, and how much of the ruleset. */
export interface RollbackChoice extends RulesetChoice {
  readonly version: string;
  /** `share`: our share of the ruleset, by `ownership` and `ignore`; `whole`: all of it. */
  readonly extent: 'share' | 'whole';
}

/** The plan of a rollback. */
export interface RollbackPlan {
  readonly plan: Plan;
  /** Values that may have been sensitive, for which the plan has references; only requests may contain them. */
  readonly former: readonly SensitiveValue[];
}

/**
 * Plans to restore the rules of an earlier version of a ruleset; writes nothing. Throws `rollback/unknown-ownership` when only our
 * share is to be restored, and invalid files cannot tell which rules are ours.
 */
export function rollbackPlan(
  choice: RollbackChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<RollbackPlan> {
  const { guards, extent } = choice;
  if (extent === 'share' && guards.files.kind === 'invalid') {
    throw new RulewrightError(
      `the files are not valid, so it is not known whose rules are whose${guards.files.why}`,
      {
        code: 'rollback/unknown-ownership',
        fault: 'user',
        hint: 'correct that first; rulewright validate says what else is wrong. Only where others have no rules there, or theirs are to go back too: --whole-ruleset',
      },
    );
  }
  return withRuleset(
    choice,
    { options, open: openReadClient, report },
    async (found, client, { identity, tokenEnv }) => {
      const { scope, live } = found;
      requireOurs(live);
      const read = await readVersion(client, found, choice.version);
      // Without valid files, live alone cannot tell where a rule that it lacks held a sensitive value.
      if (formerRules(read, live.rules).length > 0) {
        requireKnownPlaces(guards, options.secrets);
      }
      const { secrets } = options;
      const then = await rulesetThen(choice, found, { client, version: read, secrets });
      const version = hideInVersion(read, then, 'restore');
      const listed = await listRulesets(client, scope);
      const catalogue = listed.filter(({ kind }) => kind === 'managed');
      const plan = planRollback({ scope, live, version, catalogue, share: shareOf(guards, found), extent });
      const former = valuesToRestore(then);
      if (plan.kind === 'failed') {
        return { plan: makePlan(identity, [plan]), former };
      }
      const { safety, today } = guards;
      const explained = await explainPlan(
        { ...plan, tokenEnv },
        { client, managed: createManagedRulesets(), catalogue, purpose: { kind: 'plan' } },
      );
      const whole =
        explained.kind === 'failed' ? explained : guardScope(hideSecrets(explained), safety, today);
      return { plan: makePlan(identity, [whole]), former };
    },
  );
}

/** Where the files still hold the state that a rollback undoes, so that the next apply would restore it. */
export interface LaterState {
  /** Whether the scope's own file does; an import updates that file. */
  readonly own: boolean;
  /** The pack files that do. Packs are shared by scopes, so import leaves them alone. */
  readonly packs: readonly string[];
}

/** Finds where the files still hold the state that the plan undoes. */
export function laterState(plan: Plan, { scopes }: Pick<Guards, 'scopes'>): LaterState {
  const packs = new Set<string>();
  let own = false;
  for (const { scope, steps } of plannedScopes(plan.scopes)) {
    for (const step of steps) {
      const declared = declaredRuleset(scopes, scope, addressOf(step.target));
      const files = declared === undefined ? [] : step.changes.map((change) => packOf(change, declared));
      files.forEach((file) => file !== undefined && packs.add(file));
      own ||= declared !== undefined && (files.length === 0 || files.includes(undefined));
    }
  }
  return { own, packs: [...packs].sort() };
}

/**
 * Returns the file of the pack that a changed rule comes from; undefined for a move, since a pack does not decide where its rules
 * stand.
 */
function packOf(change: RuleChange, { rules }: DesiredRuleset): string | undefined {
  const cause = change.kind === 'move' ? undefined : rules.find(({ ref }) => ref === change.ref)?.cause;
  return cause !== undefined && 'via' in cause && cause.via.length > 0 ? cause.file : undefined;
}

function declaredRuleset(
  scopes: readonly DesiredScope[],
  scope: Scope,
  address: RulesetAddress,
): DesiredRuleset | undefined {
  return declaredScopesOf(scopes, scope)
    .flatMap(({ rulesets }) => rulesets)
    .find((ruleset) => addressKey(ruleset.address) === addressKey(address));
}

/** Returns our share of a ruleset: as the files declare it, or else by the ownership of the project. */
function shareOf({ scopes, ownership, today }: Guards, { scope, live }: FoundRuleset): RestoredShare {
  const declared = declaredRuleset(
    scopes.map((one) => withoutExpired(one, today)),
    scope,
    addressOfRuleset(live),
  );
  return declared === undefined
    ? { ownership, place: 'any', ignore: [], description: ownership.kind === 'all' }
    : {
        ownership: declared.ownership,
        place: declared.place,
        ignore: declared.ignore ?? [],
        description: declared.ownership.kind === 'all' || declared.description !== undefined,
      };
}
