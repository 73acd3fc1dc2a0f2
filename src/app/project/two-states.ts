import { memoise } from '../../data/index.ts';
import type { LargeLoadResult } from '../../config/index.ts';
import { findLetGo, unknownLetGo, findUndeclaredRules } from '../../plan/index.ts';
import type { Redeclared } from '../../plan/index.ts';
import { stepId, declaredScopesOf, addressKey, scopeLabel, plannedScopes } from '../../model/index.ts';
import type {
  PlannedScope,
  ScopePlan,
  GuardFinding,
  DesiredScope,
  DesiredRuleset,
  Scope,
} from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import { isMeant } from './narrow-targets.ts';
import { loadLarge } from './load.ts';
import type { GuardBase } from './base-settings.ts';
import { guardsOfRevision } from './base-settings.ts';
import { atRevision } from './revision-project.ts';
import type { Revisions, Selection, TargetFilter } from './selection.ts';
import { hasSensitive } from './sensitive-in.ts';
import { firstFinding } from './first-finding.ts';

/** A whole project at a revision and now. */
export interface TwoStates {
  readonly revision: string;
  readonly before: LargeLoadResult;
  readonly now: LargeLoadResult;
  /** The guards of the revision if the run takes its guards from there; else null. */
  readonly guards: GuardBase | null;
}

type LoadedProject = Extract<LargeLoadResult, { readonly kind: 'loaded' }>;

/**
 * Returns a function that loads a project at a revision and now, each revision once, with the variables of this run. It rejects with
 * `settings/no-revision` for a revision that Git does not have, and like `guardsOfRevision` for that of `settingsFrom`.
 */
export function compareStates(
  loaded: LoadedProject,
  selection: Selection & Revisions,
): (revision: string) => Promise<TwoStates> {
  const { project } = loaded;
  return memoise((revision: string) =>
    atRevision(project, revision, async (files) => ({
      revision,
      guards: revision === selection.settingsFrom ? await guardsOfRevision(project, files) : null,
      before: await loadLarge({
        ...selection,
        cwd: files.folder,
        config: project.file,
        paths: [],
        targets: [],
      }),
      // A run that is narrowed to files lacks parts of scopes, which would count as changed.
      now: selection.paths.length === 0 ? loaded : await loadLarge({ ...selection, paths: [] }),
    })),
  );
}

/**
 * Finds what is no longer managed since a revision, and scopes that a label no longer brings into this run. If that cannot be known,
 * returns a finding that says so.
 */
export function noLongerDeclared(
  { revision, before, now }: TwoStates,
  plans: readonly ScopePlan[],
  targets: readonly TargetFilter[],
): readonly GuardFinding[] {
  if (before.kind === 'invalid') {
    return [unknownLetGo(revision, firstFinding(before))];
  }
  if (now.kind === 'invalid') {
    return [];
  }
  const states = { before: before.project.scopes, now: now.project.scopes };
  const known = plannedScopes(plans).map(({ scope }) => scope);
  return [
    ...findLetGo({ ...states, known }),
    ...findUndeclaredRules(plannedScopes(plans).flatMap((plan) => redeclared(plan, states))),
    ...findRelabelled(states, targets),
  ];
}

/** The scopes that the files declared before, and those that they declare now. */
type DeclaredScopes = Readonly<Record<'before' | 'now', readonly DesiredScope[]>>;

/** Returns the rulesets of a scope that the files declared before and still declare. */
function redeclared({ scope, steps }: PlannedScope, { before, now }: DeclaredScopes): readonly Redeclared[] {
  const former = new Map(
    declaredRulesets(before, scope).map((ruleset) => [addressKey(ruleset.address), ruleset]),
  );
  return declaredRulesets(now, scope).flatMap((ruleset): readonly Redeclared[] => {
    const id = stepId(scope, ruleset.address);
    const was = former.get(addressKey(ruleset.address));
    const step = steps.find((one) => one.id === id);
    return was === undefined ? [] : [{ scope: scopeLabel(scope), before: was, now: ruleset, step }];
  });
}

function declaredRulesets(scopes: readonly DesiredScope[], scope: Scope): readonly DesiredRuleset[] {
  return declaredScopesOf(scopes, scope).flatMap(({ rulesets }) => rulesets);
}

/**
 * Returns a function that gives the rulesets which the files declared at the revision for a scope with sensitive values. They tell
 * where live may still hold a former value, even one from before the revision, which is not known.
 */
export function formerSecrets({ before }: TwoStates): (scope: Scope) => readonly DesiredRuleset[] {
  if (before.kind === 'invalid') {
    return () => [];
  }
  const secret = before.project.scopes.filter(hasSensitive);
  return (scope) => declaredRulesets(secret, scope);
}

/** Finds scopes that have lost the label of this run: pipelines that choose by label may no longer plan them at all. */
function findRelabelled(
  { before, now }: DeclaredScopes,
  targets: readonly TargetFilter[],
): readonly GuardFinding[] {
  const isTaken = (scope: DesiredScope): boolean => targets.some((target) => isMeant(scope, target));
  const named = new Set(now.map(({ scope }) => scopeLabel(scope)));
  const taken = new Set(now.filter(isTaken).map(({ scope }) => scopeLabel(scope)));
  const left = before
    .filter(isTaken)
    .map(({ scope }) => scopeLabel(scope))
    .filter((label) => named.has(label) && !taken.has(label));
  const labels = targets.filter(({ kind }) => kind === 'label').map(({ name }) => `label:${name}`);
  return left.length === 0
    ? []
    : [
        {
          kind: 'settings',
          effect: 'warn',
          message:
            `${someNames(left, 20)} no longer ${left.length === 1 ? 'has' : 'have'} the label of this run (${labels.join(', ')}). ` +
            'Nothing is planned there; look which run takes it instead',
        },
      ];
}
