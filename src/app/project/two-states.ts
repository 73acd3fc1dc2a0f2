import { memoise } from '../../data/index.ts';
import type { OutlineResult } from '../../config/index.ts';
import { findLetGo, unknownLetGo, findReleasedRules } from '../../plan/index.ts';
import type { Redeclared } from '../../plan/index.ts';
import { stepId, declaredScopesOf, addressKey, scopeLabel, plannedScopes } from '../../model/index.ts';
import type {
  PlannedScope,
  ScopePlan,
  GuardFinding,
  ScopeOutline,
  DesiredRuleset,
  Scope,
} from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import { isMeant } from './narrow-targets.ts';
import { outline } from './load.ts';
import type { GuardBase } from './base-settings.ts';
import { guardsOfRevision } from './base-settings.ts';
import { atRevision } from './revision-project.ts';
import type { Revisions, Selection, TargetFilter } from './selection.ts';
import { hasSensitive } from './sensitive-in.ts';
import { firstFinding } from './first-finding.ts';

/** A whole project at a revision and now. */
export interface TwoStates {
  readonly revision: string;
  readonly before: OutlineResult;
  readonly now: OutlineResult;
  /** The guards of the revision if the run takes its guards from there; else null. */
  readonly guards: GuardBase | null;
}

type LoadedOutline = Extract<OutlineResult, { readonly kind: 'loaded' }>;

/**
 * Returns a function that loads a project at a revision and now, each revision once, with the variables of this run. It rejects with
 * `settings/no-revision` for a revision that Git does not have, and like `guardsOfRevision` for that of `settingsFrom`.
 */
export function compareStates(
  loaded: LoadedOutline,
  selection: Selection & Revisions,
): (revision: string) => Promise<TwoStates> {
  const { project } = loaded;
  return memoise((revision: string) =>
    atRevision(project, revision, async (files) => ({
      revision,
      guards: revision === selection.settingsFrom ? await guardsOfRevision(project, files) : null,
      before: await outline({
        ...selection,
        cwd: files.folder,
        config: project.file,
        paths: [],
        targets: [],
      }),
      // A run that is narrowed to files lacks parts of scopes, which would count as changed.
      now: selection.paths.length === 0 ? loaded : await outline({ ...selection, paths: [] }),
    })),
  );
}

/**
 * Finds what is no longer managed since a revision, and scopes that a label no longer brings into this run. If that cannot be known,
 * returns a finding that says so.
 */
export function releasedSince(
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
    ...findReleasedRules(
      plannedScopes(plans).flatMap((plan) => redeclared(plan, before.project, now.project)),
    ),
    ...findRelabelled(states, targets),
  ];
}

/** Returns the rulesets of a scope that the files declare in another way than before. */
function redeclared(
  plan: PlannedScope,
  before: LoadedOutline['project'],
  now: LoadedOutline['project'],
): readonly Redeclared[] {
  const { scope } = plan;
  const former = declaredScopesOf(before.scopes, scope);
  return declaredScopesOf(now.scopes, scope).flatMap((declaration) => {
    const same = new Set(former.flatMap(({ rulesets }) => rulesets.map(({ digest }) => digest)));
    if (declaration.rulesets.every(({ digest }) => same.has(digest))) {
      return [];
    }
    const rulesets = former.flatMap((one) => before.open(one).rulesets);
    const wanted = new Map(rulesets.map((ruleset) => [addressKey(ruleset.address), ruleset]));
    return now.open(declaration).rulesets.flatMap((ruleset): readonly Redeclared[] => {
      const id = stepId(scope, ruleset.address);
      const was = wanted.get(addressKey(ruleset.address));
      const step = plan.steps.find((one) => one.id === id);
      return was === undefined ? [] : [{ scope: scopeLabel(scope), before: was, now: ruleset, step }];
    });
  });
}

/**
 * Returns a function that gives the rulesets which the files declared at the revision for a scope with sensitive values. They tell
 * where live may still hold a former value, even one from before the revision, which is not known.
 */
export function formerSecrets({ before }: TwoStates): (scope: Scope) => readonly DesiredRuleset[] {
  if (before.kind === 'invalid') {
    return () => [];
  }
  const { project } = before;
  const secret = project.scopes.filter(hasSensitive);
  return (scope) =>
    secret.length === 0
      ? []
      : declaredScopesOf(secret, scope).flatMap((outlined) => project.open(outlined).rulesets);
}

/** Finds scopes that have lost the label of this run: pipelines that choose by label may no longer plan them at all. */
function findRelabelled(
  { before, now }: Readonly<Record<'before' | 'now', readonly ScopeOutline[]>>,
  targets: readonly TargetFilter[],
): readonly GuardFinding[] {
  const isTaken = (scope: ScopeOutline): boolean => targets.some((target) => isMeant(scope, target));
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
