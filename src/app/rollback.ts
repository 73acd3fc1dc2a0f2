import { openReadClient } from '../api/client.ts';
import { listRulesets } from '../api/rulesets.ts';
import { createManagedRulesets } from '../live/managed-rulesets.ts';
import type { RuleChange } from '../model/change.ts';
import { declaredScopesOf } from '../model/declared-scope.ts';
import { RulewrightError } from '../model/error.ts';
import type { Plan } from '../model/plan.ts';
import type { DesiredRuleset, LiveRuleset, RulesetAddress } from '../model/ruleset.ts';
import { addressKey, addressOfRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import type { DesiredScope } from '../model/state.ts';
import { plannedScopes } from '../model/scope-plans.ts';
import { guardScope } from '../plan/guard/guard-scope.ts';
import { hideSecrets } from '../plan/hide/hide-secrets.ts';
import { hideInVersion } from '../plan/hide/hide-text.ts';
import { withoutExpired } from '../plan/compare/ignore.ts';
import { addressOf } from '../plan/names/address.ts';
import { makePlan } from '../plan/document/make-plan.ts';
import type { Share } from '../plan/reverse/share.ts';
import { planRollback } from '../plan/reverse/rollback.ts';
import type { Report } from './run/events.ts';
import { explainPlan } from './managed/explain-plan.ts';
import type { FoundRuleset } from './planning/find-ruleset.ts';
import type { Guards } from './project/project-guards.ts';
import { requireKnownPlaces } from './project/require-sensitive.ts';
import type { RulesetChoice } from './planning/ruleset-choice.ts';
import { readVersion, requireOurs, rulesetToday, withRuleset } from './planning/ruleset-choice.ts';
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
      if (bringsBackUnknown(read, live)) {
        requireKnownPlaces(guards, options.secrets);
      }
      const version = hideInVersion(read, rulesetToday(choice, found), 'restore');
      const listed = await listRulesets(client, scope);
      const catalogue = listed.filter(({ kind }) => kind === 'managed');
      const plan = planRollback({ scope, live, version, catalogue, share: shareOf(guards, found), extent });
      if (plan.kind === 'failed') {
        return makePlan(identity, [plan]);
      }
      const { safety, today } = guards;
      const explained = await explainPlan(
        { ...plan, tokenEnv },
        { client, managed: createManagedRulesets(), catalogue },
      );
      return makePlan(identity, [guardScope(hideSecrets(explained), safety, today)]);
    },
  );
}

/** Whether a version has rules that live has not, so that live cannot tell where in them a sensitive value was. */
function bringsBackUnknown(version: LiveRuleset, live: LiveRuleset): boolean {
  const known = new Set(live.rules.flatMap(({ id, ref }) => [id, ref]));
  return version.rules.some(({ id, ref }) => !known.has(id) && !known.has(ref));
}

/** Where files hold what a plan takes back, so that apply makes it again. */
export interface LaterState {
  /** Whether the file of the scope does, which import brings back. */
  readonly own: boolean;
  /** The files of packs that do. They are not one scope's to change, so import leaves them alone. */
  readonly packs: readonly string[];
}

/** Where the files hold the state still that the plan takes back. */
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

/** The file of the pack that a changed rule comes from. Where it stands is not the pack's to say. */
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

/** What of a ruleset is ours: what the files say where they declare it, else what the project says. */
function shareOf({ scopes, ownership, today }: Guards, { scope, live }: FoundRuleset): Share {
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
