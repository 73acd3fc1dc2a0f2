import { distance } from 'fastest-levenshtein';
import { loadProject } from '../config/load-project.ts';
import type { LoadResult } from '../config/load-project.ts';
import { RulewrightError } from '../model/error.ts';
import { scopeLabel } from '../model/scope.ts';
import type { DesiredScope } from '../model/state.ts';
import type { Selection, TargetFilter } from './selection.ts';

/** Loads the selected project; its findings come with it. */
export function load(selection: Selection): Promise<LoadResult> {
  const { cwd, config, paths, environment, variables } = selection;
  return loadProject({
    cwd,
    ...(config === undefined ? {} : { config }),
    paths,
    ...(environment === undefined ? {} : { environment }),
    ...(variables === undefined ? {} : { variables }),
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
      throw unknownTarget(target, scopes);
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
  if (!isMeant(scope, target)) {
    return [];
  }
  return scope.rulesets.filter((ruleset) => target.phase === null || ruleset.address.phase === target.phase);
}

function isMeant({ scope, labels = {} }: DesiredScope, { kind, name }: TargetFilter): boolean {
  return kind === 'label'
    ? Object.entries(labels).some(([label, text]) => name === `${label}=${text}`)
    : name === scope.name && (kind === null || kind === scope.kind);
}

/** The nearest targets that exist; a list of a hundred zones would help nobody. */
function unknownTarget(target: TargetFilter, scopes: readonly DesiredScope[]): RulewrightError {
  const written = [target.kind, target.name].filter((part) => part !== null).join(':');
  const text = target.phase === null ? written : `${written}/${target.phase}`;
  const known = scopes.flatMap(({ scope, labels = {}, rulesets }) => [
    scopeLabel(scope),
    ...Object.entries(labels).map(([label, value]) => `label:${label}=${value}`),
    ...new Set(rulesets.map(({ address }) => `${scopeLabel(scope)}/${address.phase}`)),
  ]);
  const near = [...new Set(known)]
    .map((name) => ({
      name,
      steps: distance(text, target.kind === null ? name.slice(name.indexOf(':') + 1) : name),
    }))
    .sort((a, b) => a.steps - b.steps)
    .slice(0, 3);
  return new RulewrightError(`the files have no ${text}`, {
    code: 'usage/unknown-target',
    fault: 'user',
    hint: `the nearest are ${near.map(({ name }) => name).join(', ')}`,
  });
}
