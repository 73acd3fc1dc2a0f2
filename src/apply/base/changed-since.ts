import pLimit from 'p-limit';
import type { ReadClient } from '../../api/index.ts';
import { listRulesets, ServiceError } from '../../api/index.ts';
import type { Base, BaseRecord, LiveRulesetHead, ObjectStep, PlannedScope, Step } from '../../model/index.ts';
import { baseOf, isAtBase, scopeLabel, stepId } from '../../model/index.ts';
import { addressOf } from '../../plan/index.ts';
import { isObjectDone } from '../objects/apply-objects.ts';
import type { Trail } from '../write/scope-run.ts';
import { areDone } from './check-bases.ts';
import { lookUp } from './look-up.ts';

/** A scope that was planned, and what is done of it by now. */
export interface LeftScope {
  /** As it was planned, with all of its steps. */
  readonly plan: PlannedScope;
  /** The steps that are done. */
  readonly done: { readonly steps: readonly Step[]; readonly objects?: readonly ObjectStep[] | undefined };
  readonly client: ReadClient;
  /** How far the steps of this process went; steps that found their work done have none. */
  readonly trails: ReadonlyMap<string, Trail>;
}

/** A scope that is not as it was left, or of which that is not known. */
export interface ChangedScope {
  readonly kind: 'changed' | 'not-done' | 'unread';
  /** What is wrong with which scope: `zone:a.example was changed since`. */
  readonly message: string;
}

/**
 * Finds a scope in which live is not what was planned, with the steps that are done; null when all are. One request for each scope, and some more for
 * those that differ.
 */
export async function changedSince(
  scopes: readonly LeftScope[],
  concurrency: number,
): Promise<ChangedScope | null> {
  let found: ChangedScope | null = null;
  await pLimit(concurrency).map([...scopes], async (scope) => {
    if (found === null) {
      const why = await whyChanged(scope);
      found ??= why === null ? null : { ...why, message: `${scopeLabel(scope.plan.scope)} ${why.message}` };
    }
  });
  return found;
}

async function whyChanged(left: LeftScope): Promise<ChangedScope | null> {
  try {
    if (!(await areRulesetsAsLeft(left))) {
      return { kind: 'changed', message: 'was changed since' };
    }
    return (await areStepsDone(left)) && (await areObjectsDone(left))
      ? null
      : { kind: 'not-done', message: 'is not as the plan wants it' };
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'api/aborted') {
      return { kind: 'unread', message: `could not be read again: ${error.message}` };
    }
    throw error;
  }
}

async function areRulesetsAsLeft({ plan, client, trails }: LeftScope): Promise<boolean> {
  const { scope } = plan;
  const bases = basesNow({ plan, trails });
  const heads = bases.length === 0 ? [] : await listRulesets(client, scope);
  for (const { target, base } of bases) {
    // A list may be behind: what it shows as different is read itself.
    if (!isListed(heads, { target, base }) && !isAtBase(await lookUp(client, scope, target, base), base)) {
      return false;
    }
  }
  return true;
}

/** Whether live shows the steps as done of which this process knows no more than that. */
async function areStepsDone({ plan, done, client, trails }: LeftScope): Promise<boolean> {
  const steps = done.steps.filter(({ id }) => !trails.has(id));
  return steps.length === 0 || areDone([{ plan: { ...plan, steps }, client }], 1);
}

/** Returns the bases of the rulesets that are to be as they were planned, or as this process left them. */
function basesNow({ plan, trails }: Pick<LeftScope, 'plan' | 'trails'>): readonly BaseRecord[] {
  const changing = new Set(plan.steps.map(({ id }) => id));
  return plan.bases.flatMap(({ target, base }): readonly BaseRecord[] => {
    const id = stepId(plan.scope, addressOf(target));
    const trail = trails.get(id);
    return trail !== undefined
      ? [{ target, base: baseOf(trail.left) }]
      : changing.has(id)
        ? []
        : [{ target, base }];
  });
}

/** Whether a list shows a ruleset at its base, or none where there is to be none. */
function isListed(heads: readonly LiveRulesetHead[], { target, base }: BaseRecord): boolean {
  return base.kind === 'version'
    ? isAtBase(heads.find(({ id }) => id === base.id) ?? null, base)
    : !heads.some(
        ({ kind, phase, name }) =>
          kind === target.level && phase === target.phase && (kind !== 'custom' || name === target.name),
      );
}

async function areObjectsDone({ plan, done, client }: LeftScope): Promise<boolean> {
  for (const object of done.objects ?? []) {
    if (!(await isObjectDone(object, { client, scope: plan.scope }))) {
      return false;
    }
  }
  return true;
}

/** Returns when the rulesets of some scopes were last changed as they were planned, in milliseconds since 1970; 0 when none is there. */
export function lastChange(scopes: readonly PlannedScope[]): number {
  const times = scopes.flatMap(({ bases }) => bases.flatMap(({ base }) => timeOfBase(base)));
  return times.reduce((latest, time) => Math.max(latest, time), 0);
}

function timeOfBase(base: Base): readonly number[] {
  const time = base.kind === 'version' ? Date.parse(base.lastUpdated) : NaN;
  return Number.isNaN(time) ? [] : [time];
}
