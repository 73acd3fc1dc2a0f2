import type { ReadClient } from '../../api/index.ts';
import { isServiceError } from '../../api/index.ts';
import { readSettings } from '../../live/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type { DesiredScope, LiveScope, PlannedScope, Safety, ScopePlan } from '../../model/index.ts';
import { guardObjects, planSettings, settingUsers, strengtheningObjects } from '../../plan/index.ts';
import { planError } from '../service/plan-error.ts';

/** What planning the settings of a zone takes. */
interface SettingMeans {
  readonly client: ReadClient;
  readonly live: LiveScope;
  readonly safety: Safety;
  /** `YYYY-MM-DD`, for allowances that end. */
  readonly today: string;
  readonly only: 'strengthening' | undefined;
}

/** Adds the steps of its settings to the plan of a zone. A setting that cannot be read fails the zone: it is never taken for its default. */
export async function planZoneSettings(
  plan: PlannedScope,
  { settings: desired = [] }: DesiredScope,
  { client, live, safety, today, only }: SettingMeans,
): Promise<ScopePlan> {
  if (desired.length === 0) {
    return plan;
  }
  const { scope } = plan;
  try {
    const read = await readSettings(
      client,
      scope,
      desired.map(({ name }) => name),
    );
    const planned = planSettings({ scope, desired, live: read, users: settingUsers(plan.steps, live) });
    if (planned.kind === 'failed') {
      return { kind: 'failed', scope: { kind: scope.kind, name: scope.name }, error: planned.error };
    }
    const told = strengtheningObjects(planned.settings, plan, only);
    const guarded = guardObjects(told.plan, { objects: told.objects }, { safety, today });
    return { ...guarded, compared: { settings: desired.length } };
  } catch (error) {
    if (error instanceof RulewrightError && !(isServiceError(error) && error.code === 'api/aborted')) {
      return { kind: 'failed', scope: { kind: scope.kind, name: scope.name }, error: planError([error]) };
    }
    throw error;
  }
}
