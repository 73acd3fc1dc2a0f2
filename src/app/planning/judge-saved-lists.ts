import type { ReadClient } from '../../api/index.ts';
import { isServiceError, listLists, openReadClient } from '../../api/index.ts';
import { createAccountLists, NO_CACHE, readList, readWholeScope } from '../../live/index.ts';
import { addressOfRuleset, isListStep, plannedScopes, RulewrightError } from '../../model/index.ts';
import type { GuardFinding, ListStep, LiveScope, ObjectStep, Plan, PlannedScope } from '../../model/index.ts';
import { judgedStep, listNamingRules } from '../../plan/index.ts';
import type { ListNamingRules } from '../../plan/index.ts';
import type { OnEvent } from '../run/events.ts';
import { withService } from '../service/open-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/**
 * Judges the changes of lists anew that a plan from a file calls harmless, by the live rules that name these lists: what the file says of them proves
 * nothing. A change that weakens, or of which that is not known since a rule could not be read, is called so, with findings for the guards. Reads
 * nothing where the plan has no such change, or no rule names the list.
 */
export async function judgeSavedLists(plan: Plan, options: ServiceOptions, report: OnEvent): Promise<Plan> {
  const doubtful = plannedScopes(plan.scopes).filter(({ objects = [] }) => objects.some(isDoubtful));
  if (doubtful.length === 0) {
    return plan;
  }
  return withService({ options, open: openReadClient, report }, async (service) => {
    const clientOf = ({ tokenEnv }: PlannedScope): ReadClient => service.client(tokenEnv);
    const judged = new Map<PlannedScope, PlannedScope>();
    for (const scope of doubtful) {
      judged.set(scope, await judgedScope(scope, plan, clientOf));
    }
    return {
      ...plan,
      scopes: plan.scopes.map((scope) => (scope.kind === 'failed' ? scope : (judged.get(scope) ?? scope))),
    };
  });
}

/** Whether a step may weaken although the plan does not say so: rules can only name a list that is there. */
function isDoubtful(step: ObjectStep): step is ListStep {
  return (
    isListStep(step) &&
    step.operation !== 'create' &&
    step.protection.kind !== 'weakening' &&
    step.items.add.length + step.items.change.length + step.items.remove.length > 0
  );
}

async function judgedScope(
  scope: PlannedScope,
  plan: Plan,
  clientOf: (scope: PlannedScope) => ReadClient,
): Promise<PlannedScope> {
  const client = clientOf(scope);
  const heads = await listLists(client, scope.scope.accountId);
  let naming: Promise<ListNamingRules> | undefined;
  const steps: ObjectStep[] = [];
  const findings: GuardFinding[] = [];
  for (const step of scope.objects ?? []) {
    const head = heads.find(({ name }) => name === step.target.name);
    // One that is gone is found when the plan is carried out.
    if (!isDoubtful(step) || head === undefined || head.referenceCount === 0) {
      steps.push(step);
      continue;
    }
    naming ??= rulesNaming(scope.scope.accountId, plan, clientOf);
    const { after, today } = await naming;
    const { name } = step.target;
    const { items } = await readList(client, scope.scope, head, NO_CACHE);
    const again = judgedStep(step, {
      head,
      items,
      rules: after.filter(({ lists, live }) => lists.has(name) && live.has(name)),
      known: today.get(name) ?? 0,
    });
    const { protection } = again.step;
    steps.push(protection.kind === 'weakening' ? { ...step, protection } : step);
    findings.push(...again.findings);
  }
  return { ...scope, objects: steps, findings: [...scope.findings, ...findings] };
}

/** Reads the rules of a plan's scopes in an account that name lists. What cannot be read is missing in the count, and so not taken for harmless. */
async function rulesNaming(
  accountId: string,
  plan: Plan,
  clientOf: (scope: PlannedScope) => ReadClient,
): Promise<ListNamingRules> {
  const after: ListNamingRules['after'][number][] = [];
  const today = new Map<string, number>();
  for (const one of plannedScopes(plan.scopes).filter(({ scope }) => scope.accountId === accountId)) {
    const live = await readLive(one, clientOf);
    const naming = live === null ? null : listNamingRules(one.steps, live);
    after.push(...(naming?.after ?? []));
    naming?.today.forEach((count, name) => today.set(name, (today.get(name) ?? 0) + count));
  }
  return { after, today };
}

async function readLive(
  planned: PlannedScope,
  clientOf: (scope: PlannedScope) => ReadClient,
): Promise<LiveScope | null> {
  const { scope } = planned;
  try {
    const client = clientOf(planned);
    const { rulesets, catalogue } = await readWholeScope(client, scope, createAccountLists(client));
    const entries = rulesets.map((ruleset) => ({
      address: addressOfRuleset(ruleset),
      slot: { kind: 'present', ruleset } as const,
    }));
    return { scope, entries, catalogue };
  } catch (error) {
    if (error instanceof RulewrightError && !(isServiceError(error) && error.code === 'api/aborted')) {
      return null;
    }
    throw error;
  }
}
