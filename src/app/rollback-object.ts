import { openReadClient } from '../api/index.ts';
import { entriesIn, lastSavedObject } from '../apply/index.ts';
import type { Plan, PlannedScope, ScopeRef } from '../model/index.ts';
import { RulewrightError, listStepId, scopeLabel, settingStepId } from '../model/index.ts';
import { guardRun, makePlan } from '../plan/index.ts';
import type { ObjectName } from './planning/ruleset-name.ts';
import { objectNameText } from './planning/ruleset-name.ts';
import { reverseObjects } from './planning/reverse-plan.ts';
import type { Guards } from './project/project-guards.ts';
import type { OnEvent } from './run/events.ts';
import { journalPath } from './run/journal-choice.ts';
import type { JournalChoice } from './run/journal-choice.ts';
import type { ServiceOptions } from './service/service-options.ts';
import { withScope } from './service/with-scope.ts';

/** The list or setting that goes back, and where what runs did to it is recorded. */
export interface ObjectRollbackChoice {
  readonly scope: ScopeRef;
  readonly object: ObjectName;
  readonly guards: Guards;
  readonly journal: JournalChoice;
}

/** The plan of the way back, and when the run that it undoes wrote the list or setting, in milliseconds since 1970. */
export interface ObjectRollbackPlan {
  readonly plan: Plan;
  readonly at: number;
}

/**
 * Plans to undo what the last run that the journal has did to a list or a setting, as far as it is live; writes nothing. These have no versions, so
 * there is no other way back. What others have changed since is left alone. Throws `rollback/not-recorded` when the journal has no such run.
 */
export function objectRollbackPlan(
  { scope: ref, object, guards, journal }: ObjectRollbackChoice,
  options: ServiceOptions,
  report: OnEvent,
): Promise<ObjectRollbackPlan> {
  return withScope(
    { ref, scopes: guards.scopes },
    { options, open: openReadClient, report },
    async ({ scope, client, tokenEnv }, service) => {
      const step =
        object.kind === 'list' ? listStepId(scope, object.name) : settingStepId(scope, object.name);
      const path = journalPath(journal);
      const saved = lastSavedObject(await entriesIn(path), { step, service });
      if (saved === null) {
        throw new RulewrightError(
          `the journal ${path} has no run that changed ${objectNameText(object)} of ${scopeLabel(scope)}`,
          {
            code: 'rollback/not-recorded',
            fault: 'user',
            hint: 'the service keeps no versions of it: plan --reverse PLAN.json undoes a saved plan, and --journal names the journal of another run; or change the files back',
          },
        );
      }
      const empty: PlannedScope = {
        kind: 'planned',
        scope,
        ...(tokenEnv === undefined ? {} : { tokenEnv }),
        bases: [],
        steps: [],
        findings: [],
        notes: [],
      };
      const { safety, today } = guards;
      const planned = await reverseObjects(empty, {
        objects: [saved.step],
        client,
        guards: { safety, today },
        extent: 'left',
      });
      return { plan: makePlan(service, [planned], guardRun([planned], safety, today)), at: saved.at };
    },
  );
}
