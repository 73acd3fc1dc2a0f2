import { openReadClient } from '../api/index.ts';
import type { AnalyticsClient, ReadClient } from '../api/index.ts';
import type { LargeProject } from '../config/index.ts';
import { sortDiagnostics, RulewrightError, scopeLabel } from '../model/index.ts';
import type { Plan, PlanRollout, DesiredScope, Diagnostic } from '../model/index.ts';
import {
  guardCounts,
  guardTraffic,
  withoutAllowed,
  withoutExpired,
  makePlan,
  isInShard,
  planOfShard,
  compareDesired,
  withRollout,
} from '../plan/index.ts';
import { canonicalJson } from '../data/index.ts';
import type { OnEvent } from './run/events.ts';
import { createListCheck } from './planning/list-check.ts';
import { createPlacedErrors } from './planning/placed-errors.ts';
import { narrow } from './project/narrow-targets.ts';
import { loadLarge } from './project/load.ts';
import { readLock } from './managed/lock-on-disk.ts';
import { readAuthors } from './planning/read-authors.ts';
import { withService } from './service/open-service.ts';
import type { Service } from './service/open-service.ts';
import type { PlannedPart } from './planning/plan-scopes.ts';
import { planScopes } from './planning/plan-scopes.ts';
import { planRollout } from './planning/plan-rollout.ts';
import type { PlanResult } from './run/results.ts';
import type { PlanSelection } from './project/selection.ts';
import type { GuardBase } from './project/base-settings.ts';
import { keepingSecrets } from './project/base-secrets.ts';
import { requireDigests, requireSensitive } from './project/require-sensitive.ts';
import { havingScopes } from './service/service-options.ts';
import type { ServiceOptions } from './service/service-options.ts';
import type { TwoStates } from './project/two-states.ts';
import { compareStates, formerSecrets, noLongerDeclared } from './project/two-states.ts';
import { branchPoint } from './project/git-revision.ts';
import { firstFinding } from './project/first-finding.ts';

/**
 * Plans the selected scopes by comparing the files with live; no client exists that could write. `drift` shows the same plan read
 * the other way. Throws for a target that the files do not declare, and for missing credentials.
 */
export function plan(
  selection: PlanSelection,
  options: ServiceOptions,
  report: OnEvent,
): Promise<PlanResult> {
  return planOver(selection, options, { report, opened: undefined });
}

/** As `plan`, over a service that is open already, if there is one. */
export async function planOver(
  selection: PlanSelection,
  options: ServiceOptions,
  {
    report,
    opened,
  }: { readonly report: OnEvent; readonly opened: Service<ReadClient & AnalyticsClient> | undefined },
): Promise<PlanResult> {
  const environment = keepingSecrets(selection.environment ?? {}, options.secrets.former);
  const loaded = await loadLarge({ ...selection, environment, today: options.today });
  if (loaded.kind === 'invalid') {
    return loaded;
  }
  const { project, sources } = loaded;
  const since = compareStates(loaded, selection);
  const { root } = project;
  const { isPart, whole, wanted, branch } = await scopesOfRun(project, selection, { root, since, report });
  const diagnostics = findingsAbout(wanted, project.scopes, loaded.diagnostics);
  const { today, clock, concurrency, budget, bound, secrets, extension } = options;
  const base = selection.settingsFrom ?? selection.changedSince;
  const states = base === undefined ? null : await since(base);
  const guards = states?.guards ?? { safety: project.settings.safety, findings: [] };
  const lock = await readLock(project.root);
  requireSensitive(wanted, secrets);
  const { purpose = { kind: 'plan' } } = selection;
  if (purpose.kind === 'save') {
    requireDigests(wanted);
  }
  const lists = createListCheck(purpose);
  const placed = createPlacedErrors();
  const work = async (service: Service<ReadClient & AnalyticsClient>): Promise<PlanResult> => {
    const scopes = wanted.map((scope) => withoutExpired(scope, today));
    const parts = await planScopes(scopes, {
      service,
      whole,
      secrets,
      before: states === null ? undefined : formerSecrets(states),
      safety: guards.safety,
      today,
      clock,
      concurrency,
      budget,
      bound,
      report,
      lists,
      placed,
      lock,
      purpose,
      extension,
      isPart,
      only: selection.only,
    });
    const { identity } = service;
    // What a run trusts is the revision itself; what a branch lets go of is what it had when it began.
    const former = selection.settingsFrom === undefined ? branch : states;
    const { rollout } = project.settings;
    const planned = new Map(
      wanted.flatMap((scope, at) => (parts[at] ? [[scope, parts[at].plan] as const] : [])),
    );
    const plan = planOf(parts, {
      identity,
      selection,
      states: former,
      whole,
      guards,
      today,
      rollout:
        rollout === undefined || !isToBeApplied(selection)
          ? undefined
          : planRollout(rollout, { whole, planned }),
    });
    const audit = purpose.kind === 'drift' ? purpose.audit : undefined;
    const means = { service, clock, signal: options.signal, mostRequests: bound?.most ?? Infinity };
    const authors = audit === undefined ? {} : { authors: await readAuthors(plan, audit, means) };
    const wrong = [...lists.findings(), ...placed.findings()];
    const found = sortDiagnostics([...diagnostics, ...wrong]);
    return {
      kind: 'planned',
      plan,
      safety: guards.safety,
      trafficExamples: project.settings.trafficExamples,
      requests: service.requests(),
      ...authors,
      diagnostics: found,
      sources: wrong.length === 0 ? sources : await project.sourcesOf(found),
    };
  };
  const opening = { options: havingScopes(options, project.scopes), open: openReadClient, report };
  return opened === undefined ? withService(opening, work) : work(opened);
}

/** Combines the plans of all scopes, with what the guards find in the whole. */
function planOf(
  parts: readonly PlannedPart[],
  run: {
    readonly identity: string;
    readonly selection: PlanSelection;
    readonly states: TwoStates | null;
    readonly whole: readonly DesiredScope[];
    readonly guards: GuardBase;
    readonly today: string;
    readonly rollout: PlanRollout | undefined;
  },
): Plan {
  const { identity, selection, states, whole, today, rollout } = run;
  const { shard, targets } = selection;
  const { safety, findings } = run.guards;
  const scopes = parts.map(({ plan }) => plan);
  const facts = parts.map((part) => part.facts);
  const counts = facts.flatMap((one) => one.counts ?? []);
  const released = states === null ? [] : noLongerDeclared(states, scopes, targets);
  const traffic = isToBeApplied(selection) ? guardTraffic({ scopes }, safety) : [];
  const guarded = [
    ...withoutAllowed([...findings, ...released, ...traffic], safety, today),
    ...guardCounts(counts, safety, today),
  ];
  const made = makePlan(identity, scopes, guarded, facts);
  const plan = rollout === undefined ? made : withRollout(made, rollout, facts);
  return shard === undefined ? plan : planOfShard(plan, { shard, whole, safety }, facts);
}

/** Whether a plan is to be reviewed or applied, and not one that shows drift, or a step of a migration. */
function isToBeApplied({ purpose }: PlanSelection): boolean {
  return purpose === undefined || purpose.kind === 'plan' || purpose.kind === 'save';
}

interface ChosenScopes {
  /** Whether the run is about parts of scopes: some files, or some phases. */
  readonly isPart: boolean;
  readonly whole: readonly DesiredScope[];
  readonly wanted: readonly DesiredScope[];
  /** The files when the branch began, where scopes were chosen by what it changes. */
  readonly branch: TwoStates | null;
}

/** Selects the scopes of a run: `whole` for all its shards, `wanted` for this shard alone. */
async function scopesOfRun(
  project: LargeProject,
  selection: PlanSelection,
  comparing: Parameters<typeof branchChanges>[2],
): Promise<ChosenScopes> {
  const { targets, changedSince, shard, purpose } = selection;
  const targeted = narrow(project.scopes, targets);
  const { chosen, states } =
    changedSince === undefined
      ? { chosen: targeted, states: null }
      : await branchChanges(targeted, changedSince, comparing);
  const isPart = project.selected.length > 0 || targets.some(({ phase }) => phase !== null);
  const unmanaged = purpose?.kind === 'drift' && purpose.unmanaged;
  if (unmanaged && isPart) {
    throw partOfScope();
  }
  // What other files declare than those of a part is not unmanaged; and a list costs a request.
  const whole =
    isPart || purpose?.kind !== 'drift' ? chosen : chosen.map((scope) => listing(scope, unmanaged));
  return {
    isPart,
    whole,
    branch: states,
    wanted: shard === undefined ? whole : whole.filter(({ scope }) => isInShard(scope, shard)),
  };
}

/** Returns a scope as if the files owned everything in it, or with what they leave alone named at least. */
function listing(scope: DesiredScope, unmanaged: boolean): DesiredScope {
  const { rulesetOwnership } = scope;
  const named = rulesetOwnership === 'declared' ? 'listed' : rulesetOwnership;
  return { ...scope, rulesetOwnership: unmanaged ? 'everything' : named };
}

/** The error of a run that would take for unmanaged what other files or phases declare. */
function partOfScope(): RulewrightError {
  return new RulewrightError('--unmanaged looks at whole scopes, and this run is about parts of them', {
    code: 'usage/part-of-scope',
    fault: 'user',
    hint: 'leave out files and phases; --target zone:NAME chooses one zone',
  });
}

/**
 * Returns the findings that concern a run about some of the scopes. Drops those in files that declare only other scopes, as when a
 * run is narrowed to files; a finding about a rule of a pack counts for the file that uses the pack. `validate` reports all.
 */
function findingsAbout(
  wanted: readonly DesiredScope[],
  scopes: readonly DesiredScope[],
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const [ours, all] = [filesOf(wanted), filesOf(scopes)];
  return diagnostics.filter(({ where }) => {
    const file = where?.via?.at(-1)?.file ?? where?.file;
    return file === undefined || ours.has(file) || !all.has(file);
  });
}

function filesOf(scopes: readonly DesiredScope[]): ReadonlySet<string> {
  return new Set(scopes.flatMap(({ files = [] }) => files));
}

/** The scopes that a branch changes, and the states that were compared. */
interface BranchChanges {
  readonly chosen: readonly DesiredScope[];
  readonly states: TwoStates;
}

/**
 * Selects the wanted scopes that HEAD and the working tree have changed since they branched off from the revision. Changes that the revision has
 * merged since are reported instead: they would otherwise count as changed here, and be taken back. Rejects as `branchPoint` does.
 */
async function branchChanges(
  wanted: readonly DesiredScope[],
  revision: string,
  { root, since, report }: Comparing,
): Promise<BranchChanges> {
  const point = await branchPoint(root, revision);
  const itself = await since(revision);
  if (point === null) {
    return { chosen: changedScopes(wanted, itself, report), states: itself };
  }
  const states = { ...(await since(point)), revision };
  const chosen = changedScopes(wanted, states, report);
  const merged = mergedSince(states, itself);
  const labels = new Set(chosen.map(({ scope }) => scopeLabel(scope)));
  if (merged.length > 0) {
    report({
      kind: 'behind',
      revision,
      planned: merged.filter((label) => labels.has(label)),
      left: merged.filter((label) => !labels.has(label)),
    });
  }
  return { chosen, states };
}

interface Comparing {
  readonly root: string;
  readonly since: (revision: string) => Promise<TwoStates>;
  readonly report: OnEvent;
}

/** Returns the scopes that the revision itself has changed since the branch left it. */
function mergedSince({ before: left }: TwoStates, { before: itself }: TwoStates): readonly string[] {
  if (left.kind === 'invalid' || itself.kind === 'invalid') {
    return [];
  }
  const { changed, gone } = compareDesired(left.project.scopes, itself.project.scopes);
  return [...changed.map(({ scope }) => scopeLabel(scope.scope)), ...gone];
}

/**
 * Returns the scopes for which the files declare something else than at a revision, once composed: packs, variables and settings
 * count, the file that declares it does not. Returns all scopes if that cannot be known, or if the guards differ. Reports the
 * choice.
 */
function changedScopes(
  scopes: readonly DesiredScope[],
  { revision, before, now }: TwoStates,
  report: OnEvent,
): readonly DesiredScope[] {
  if (before.kind === 'invalid' || now.kind === 'invalid') {
    const place = before.kind === 'invalid' ? revision : 'the project';
    const why = firstFinding(before.kind === 'invalid' ? before : now);
    report({ kind: 'all-changed', revision, reason: `the files of ${place} are not valid${why}` });
    return scopes;
  }
  const settings = [before, now].map(({ project }) => canonicalJson(project.settings.safety));
  if (settings[0] !== settings[1]) {
    report({ kind: 'all-changed', revision, reason: 'the guards (safety) differ' });
    return scopes;
  }
  const { changed, gone } = compareDesired(before.project.scopes, now.project.scopes);
  const labels = new Set(changed.map(({ scope }) => scopeLabel(scope.scope)));
  const chosen = scopes.filter(({ scope }) => labels.has(scopeLabel(scope)));
  const told = new Set(chosen.map(({ scope }) => scopeLabel(scope)));
  report({
    kind: 'changed-since',
    revision,
    changed: changed
      .filter(({ scope }) => told.has(scopeLabel(scope.scope)))
      .map(({ scope, rulesets }) => ({ scope: scopeLabel(scope.scope), rulesets })),
    gone,
    total: scopes.length,
  });
  return chosen;
}
