import { distance } from 'fastest-levenshtein';
import { RulewrightError, foldedName, isId, scopeLabel, zoneName } from '../../model/index.ts';
import type { DesiredRuleset, DesiredScope, ScopeRef } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import type { TargetFilter } from './selection.ts';

/**
 * Returns the scopes and phases that `--target` selects. Throws `usage/unknown-target` for a target that the files do not have,
 * since a run that silently does less than asked would be trusted for more.
 */
export function narrow(
  scopes: readonly DesiredScope[],
  targets: readonly TargetFilter[],
): readonly DesiredScope[] {
  if (targets.length === 0) {
    return scopes;
  }
  for (const target of targets) {
    if (!scopes.some((scope) => isWhole(scope, target) || rulesetsOf(scope, target).length > 0)) {
      throw unknownTarget(target, scopes);
    }
  }
  return scopes.flatMap((scope) => {
    const rulesets = scope.rulesets.filter((ruleset) =>
      targets.some((target) => rulesetsOf(scope, target).includes(ruleset)),
    );
    const whole = targets.some((target) => isWhole(scope, target));
    // A setting belongs to no phase.
    const { settings: _settings, ...part } = scope;
    return rulesets.length > 0 || whole
      ? [{ ...(whole ? scope : part), rulesets, rulesetOwnership: 'declared' }]
      : [];
  });
}

/** Whether a target means a whole scope, which may declare no ruleset. */
function isWhole(scope: DesiredScope, target: TargetFilter): boolean {
  return target.phase === null && isMeant(scope, target);
}

function rulesetsOf(scope: DesiredScope, target: TargetFilter): readonly DesiredRuleset[] {
  if (!isMeant(scope, target)) {
    return [];
  }
  return scope.rulesets.filter((ruleset) => target.phase === null || ruleset.address.phase === target.phase);
}

/** Whether a target selects a scope, whatever its phase. */
export function isMeant({ scope, labels = {} }: DesiredScope, { kind, name }: TargetFilter): boolean {
  return kind === 'label'
    ? Object.entries(labels).some(([label, text]) => name === `${label}=${text}`)
    : foldedName({ kind: scope.kind, name }) === scope.name && (kind === null || kind === scope.kind);
}

/** Whether a zone whose name contains its account is one that a target without an account may mean. */
function isZoneOfName(scope: ScopeRef, { kind, name }: TargetFilter): boolean {
  const { bare, account } = zoneName(scope);
  return (kind === null || kind === 'zone') && account !== null && bare === name;
}

/** The most targets that a hint names. */
const NAMED = 3;

/**
 * Returns the error for an unknown target. The hint names only the nearest existing targets, the same zone in some account first,
 * since a list of a hundred zones would not help.
 */
function unknownTarget(target: TargetFilter, scopes: readonly DesiredScope[]): RulewrightError {
  const written = [target.kind, target.name].filter((part) => part !== null).join(':');
  const inPhase = target.phase === null ? '' : `/${target.phase}`;
  const text = written + inPhase;
  const bearers = scopes.filter(({ scope }) => isZoneOfName(scope, target));
  if (bearers.length > 1) {
    const names = bearers.map(({ scope }) => scopeLabel(scope) + inPhase);
    return new RulewrightError(`${text} names ${bearers.length} zones of the files`, {
      code: 'usage/unknown-target',
      fault: 'user',
      hint: `name the one that is meant with its account: ${someNames(names, NAMED)}`,
    });
  }
  const labelled = scopes.flatMap(({ labels = {} }) =>
    Object.entries(labels).map(([label, value]) => `label:${label}=${value}`),
  );
  const named = scopes.flatMap(({ scope, rulesets }) => [
    scopeLabel(scope),
    ...new Set(rulesets.map(({ address }) => `${scopeLabel(scope)}/${address.phase}`)),
  ]);
  const plain = (name: string): string =>
    text.includes('@') ? name : name.replace(/@[0-9a-f]{32}(?=\/|$)/u, '');
  const near = [...new Set(target.kind === 'label' ? labelled : [...named, ...labelled])]
    .map((name) => ({
      name,
      steps: distance(text, target.kind === null ? plain(name).slice(name.indexOf(':') + 1) : plain(name)),
    }))
    .sort((a, b) => a.steps - b.steps)
    .slice(0, NAMED);
  const byId = target.kind !== 'label' && !isId(target.name) && scopes.some(({ scope }) => isId(scope.name));
  return new RulewrightError(`the files have no ${text}`, {
    code: 'usage/unknown-target',
    fault: 'user',
    hint:
      near.length === 0
        ? `no file has ${target.kind === 'label' ? '`labels`; a zone is named as zone:NAME' : 'a zone or an account'}`
        : `the nearest are ${near.map(({ name }) => name).join(', ')}${byId ? '; a scope that the files name by its id is chosen by that id' : ''}`,
  });
}
