import { listRulesets } from '../../api/rulesets.ts';
import { orElse } from '../../api/service-error.ts';
import { isAchieved } from '../../model/outcome.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { scopeLabel } from '../../model/scope.ts';
import { WHOLE } from '../../plan/reverse/share.ts';
import { planRollback } from '../../plan/reverse/rollback.ts';
import { applyScope } from '../steps/apply-scope.ts';
import { undoingRun } from '../write/run.ts';
import type { RetirementRun } from './retirement-run.ts';

/** Result of restoring the rules of an entry point. */
export interface Restored {
  readonly message: string;
  readonly hint: string;
}

/**
 * Restores the rules that an entry point had, through a plan of its own, as `rollback` does. The service keeps the version that is undone, so
 * nobody's work is lost.
 */
export async function restoreEntrypoint(
  run: RetirementRun,
  before: LiveRuleset,
  now: LiveRuleset | null,
): Promise<Restored> {
  const { scope, phase } = run.plan;
  const ruleset = `${scopeLabel(scope)} ${phase}`;
  const rollbackTo = (version: string): string =>
    `rulewright rollback ${ruleset} --to ${version} --whole-ruleset`;
  if (now === null) {
    return { message: 'it is gone', hint: 'rulewright apply makes it again from the files' };
  }
  const changed = `it went from version ${before.version} to ${now.version}`;
  const trouble = await orElse(
    writeBack(run, before, now),
    ({ message }) => `could not be restored: ${message}`,
  );
  return trouble === null
    ? {
        message: `${changed}, and has its rules of version ${before.version} again`,
        hint: `look at what happened with rulewright versions ${ruleset}; if version ${now.version} was somebody's work: ${rollbackTo(now.version)}`,
      }
    : { message: `${changed}, and ${trouble}`, hint: rollbackTo(before.version) };
}

/** Restores the rules of a version; returns null when all of it was done, otherwise what was not. */
async function writeBack(
  { plan: { scope }, access, journal }: RetirementRun,
  version: LiveRuleset,
  live: LiveRuleset,
): Promise<string | null> {
  const listed = await listRulesets(access.client, scope);
  const catalogue = listed.filter(({ kind }) => kind === 'managed');
  const back = planRollback({ scope, live, version, catalogue, share: WHOLE, extent: 'whole' });
  if (back.kind === 'failed') {
    return `was not restored: ${back.error.message}`;
  }
  const outcomes = await applyScope(back, undoingRun({ scope, access, strategy: 'auto', journal }));
  const failed = outcomes.find((outcome) => !isAchieved(outcome));
  return failed === undefined
    ? null
    : `could not be restored: ${'message' in failed ? failed.message : failed.kind}`;
}
