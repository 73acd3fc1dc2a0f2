import { loadProject } from '../config/load-project.ts';
import type { LoadResult } from '../config/load-project.ts';
import { RulewrightError } from '../model/error.ts';
import type { DesiredScope } from '../model/state.ts';
import type { Selection, TargetFilter } from './selection.ts';

/** Loads the selected project; its findings come with it. */
export function load(selection: Selection): Promise<LoadResult> {
  return loadProject({
    cwd: selection.cwd,
    ...(selection.config === undefined ? {} : { config: selection.config }),
    paths: selection.paths,
  });
}

/**
 * The scopes and phases that `--target` leaves. Throws `usage/unknown-target` for a target that the
 * files do not have: a run that silently does less than asked would be trusted for more.
 */
export function narrow(
  scopes: readonly DesiredScope[],
  targets: readonly TargetFilter[],
): readonly DesiredScope[] {
  if (targets.length === 0) {
    return scopes;
  }
  for (const target of targets) {
    if (!scopes.some((scope) => rulesetsOf(scope, target).length > 0)) {
      const text = `${target.kind === null ? '' : `${target.kind}:`}${target.name}${target.phase === null ? '' : `/${target.phase}`}`;
      throw new RulewrightError(`the files have no ${text}`, {
        code: 'usage/unknown-target',
        fault: 'user',
        hint: `they have ${scopes.map((scope) => `${scope.scope.kind}:${scope.scope.name}`).join(', ')}`,
      });
    }
  }
  return scopes.flatMap((scope) => {
    const rulesets = scope.rulesets.filter((ruleset) =>
      targets.some((target) => rulesetsOf(scope, target).includes(ruleset)),
    );
    return rulesets.length === 0 ? [] : [{ ...scope, rulesets, rulesetOwnership: 'declared' }];
  });
}

function rulesetsOf(scope: DesiredScope, target: TargetFilter): DesiredScope['rulesets'] {
  if (target.name !== scope.scope.name || (target.kind !== null && target.kind !== scope.scope.kind)) {
    return [];
  }
  return scope.rulesets.filter((ruleset) => target.phase === null || ruleset.address.phase === target.phase);
}
