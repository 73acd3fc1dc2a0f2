import pLimit from 'p-limit';
import type { ReadClient } from '../../api/index.ts';
import { listListItems, listLists, openReadClient } from '../../api/index.ts';
import { readScope, readSettings } from '../../live/index.ts';
import type {
  ListStep,
  LiveListHead,
  ObjectStep,
  Scope,
  SettingStep,
  Plan,
  PlannedScope,
  ScopePlan,
  Safety,
  Cause,
  DesiredScope,
} from '../../model/index.ts';
import { changingScopes, isListStep, ofObject, RulewrightError } from '../../model/index.ts';
import type { PlannedObject } from '../../plan/index.ts';
import {
  guardObjects,
  guardRun,
  isListDone,
  isSettingAt,
  judgedSettingStep,
  reverseSettingStep,
  judgedStep,
  reverseListStep,
  guardScope,
  makePlan,
  hideSecrets,
  reverseAddresses,
  reverseScope,
} from '../../plan/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { Service } from '../service/open-service.ts';
import { withService } from '../service/open-service.ts';
import { planError } from '../service/plan-error.ts';
import type { Guards } from '../project/project-guards.ts';
import { requireSensitive } from '../project/require-sensitive.ts';
import { requireSameService } from '../service/same-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** The applied plan to undo. */
export interface ReverseOptions {
  readonly plan: Plan;
  /** The plan's file, as it is shown. */
  readonly file: string;
  readonly guards: Guards;
}

/**
 * Plans to undo a plan that was applied. Each scope is read anew, and fails unless live is exactly what the plan left there. Writes
 * nothing.
 */
export async function reversePlan(
  { plan, file, guards }: ReverseOptions,
  options: ServiceOptions,
  report: OnEvent,
): Promise<Plan> {
  return withService({ options, open: openReadClient, report }, async (service) => {
    requireSameService(plan, service.identity);
    // Without the sensitive values, live would seem to differ from the plan.
    requireSensitive(plan.scopes, options.secrets);
    const cause: Cause = { file, line: 1, column: 1 };
    const changed = changingScopes(plan.scopes);
    report({ kind: 'scopes', total: changed.length });
    let done = 0;
    const limit = pLimit(options.concurrency);
    const scopes = await limit.map(changed, async (scope) => {
      const reversed = await reverseOne(scope, service, { cause, guards });
      done += 1;
      report({ kind: 'scope-planned', plan: reversed, done, total: changed.length });
      return reversed;
    });
    return makePlan(service.identity, scopes, guardRun(scopes, guards.safety, guards.today));
  });
}

async function reverseOne(
  plan: PlannedScope,
  service: Service<ReadClient>,
  { cause, guards }: { readonly cause: Cause; readonly guards: { safety: Safety; today: string } },
): Promise<ScopePlan> {
  const desired = asRead(plan, cause);
  const reading = await readScope(service.client(plan.tokenEnv), desired, { scope: plan.scope });
  if (reading.kind === 'failed') {
    const { kind, name } = plan.scope;
    return { kind: 'failed', scope: { kind, name }, error: planError(reading.errors) };
  }
  const reversed = reverseScope({ plan, live: reading.live, cause });
  if (reversed.kind === 'failed') {
    return reversed;
  }
  const guarded = guardScope(hideSecrets(reversed), guards.safety, guards.today);
  return plan.objects === undefined
    ? guarded
    : reverseObjects(guarded, {
        objects: plan.objects,
        client: service.client(plan.tokenEnv),
        guards,
        cause,
      });
}

interface ObjectsToReverse {
  readonly objects: readonly ObjectStep[];
  readonly client: ReadClient;
  readonly guards: { readonly safety: Safety; readonly today: string };
  /** Where the steps stand; absent for those of a journal. */
  readonly cause?: Cause;
  /** `left`: as much of the steps as is live; else they have to be live as a whole. */
  readonly extent?: 'left';
}

/**
 * Adds the steps that undo those on lists and settings. Which rules name the lists is not read, so such a step is not proven harmless.
 */
export async function reverseObjects(
  plan: PlannedScope,
  { objects, client, guards, cause, extent }: ObjectsToReverse,
): Promise<ScopePlan> {
  const scope = { kind: plan.scope.kind, name: plan.scope.name };
  try {
    const heads = objects.some(isListStep) ? await listLists(client, plan.scope.accountId) : [];
    const planned: PlannedObject[] = [];
    for (const step of objects.toReversed()) {
      const back = await ofObject<Promise<ReversedStep>>(step, {
        list: (list) => reverseList(list, { heads, client, scope: plan.scope, cause, extent }),
        setting: (setting) => reverseSetting(setting, { client, scope: plan.scope, cause, extent }),
      });
      switch (back) {
        case 'not-done':
        case 'touched': {
          const message =
            back === 'not-done'
              ? `${step.id} is not what the plan left behind`
              : `${step.id}: somebody has changed it since`;
          const hint = 'plan from the files instead, or change it by hand';
          return { kind: 'failed', scope, error: { code: 'plan/moved-since', message, hint } };
        }
        case 'nothing':
          break;
        default:
          planned.push(back);
      }
    }
    return guardObjects(plan, { objects: planned }, guards);
  } catch (error) {
    if (error instanceof RulewrightError) {
      return { kind: 'failed', scope, error: planError([error]) };
    }
    throw error;
  }
}

type ReversedStep = PlannedObject | 'not-done' | 'touched' | 'nothing';

interface ReversingMeans {
  readonly client: ReadClient;
  readonly scope: Scope;
  readonly cause: Cause | undefined;
  readonly extent: 'left' | undefined;
}

async function reverseList(
  step: ListStep,
  { heads, client, scope, cause, extent }: ReversingMeans & { readonly heads: readonly LiveListHead[] },
): Promise<ReversedStep> {
  const head = heads.find(({ name }) => name === step.target.name) ?? null;
  const items = head === null ? [] : await listListItems(client, scope.accountId, head);
  if (extent !== 'left' && !isListDone(step, head, items)) {
    return 'not-done';
  }
  const back = reverseListStep(step, head, items);
  return back.kind === 'step' ? judgedStep({ ...back.step, cause }, { head, items }) : back.kind;
}

async function reverseSetting(
  step: SettingStep,
  { client, scope, cause, extent }: ReversingMeans,
): Promise<ReversedStep> {
  const live = (await readSettings(client, scope, [step.target.name])).get(step.target.name);
  if (live === undefined || (extent !== 'left' && !isSettingAt(step, live, 'after'))) {
    return 'not-done';
  }
  const back = reverseSettingStep(step, live);
  return back.kind === 'step' ? judgedSettingStep({ ...back.step, cause }) : back.kind;
}

/** Returns what to read: the rulesets that the plan was made from, as if the files declared them. */
function asRead(plan: PlannedScope, cause: Cause): DesiredScope {
  const { kind, name } = plan.scope;
  return {
    scope: { kind, name },
    rulesetOwnership: 'declared',
    rulesets: reverseAddresses(plan).map((address) => ({
      address,
      presence: 'present',
      rules: [],
      ownership: { kind: 'all' },
      place: 'any',
      cause,
    })),
    cause,
  };
}
