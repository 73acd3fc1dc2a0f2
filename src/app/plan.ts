import { openReadClient } from '../api/client.ts';
import type { OutlinedProject } from '../config/load-project.ts';
import { sortDiagnostics } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { ScopeOutline } from '../model/state.ts';
import { guardCounts, withoutAllowed } from '../plan/guard/guard-scope.ts';
import { withoutExpired } from '../plan/compare/ignore.ts';
import { makePlan } from '../plan/document/make-plan.ts';
import { isInShard, planOfShard } from '../plan/document/shard.ts';
import { branchChanges } from './project/branch-changes.ts';
import type { OnEvent } from './run/events.ts';
import { createListCheck } from './planning/list-check.ts';
import { findingsAbout } from './project/findings-about.ts';
import { narrow } from './project/narrow-targets.ts';
import { outline } from './project/load.ts';
import { readLock } from './managed/managed-lock.ts';
import { withService } from './service/open-service.ts';
import type { PlannedPart } from './planning/plan-scopes.ts';
import { planScopes } from './planning/plan-scopes.ts';
import type { PlanResult } from './run/results.ts';
import type { PlanSelection } from './project/selection.ts';
import type { GuardBase } from './project/base-settings.ts';
import { keepingSecrets } from './project/base-secrets.ts';
import { requireDigests, requireSensitive } from './project/require-sensitive.ts';
import { havingScopes } from './service/service-options.ts';
import type { ServiceOptions } from './service/service-options.ts';
import type { TwoStates } from './project/two-states.ts';
import { compareStates, formerSecrets, releasedSince } from './project/two-states.ts';
import { wholeScopes } from './project/whole-scopes.ts';

/**
 * Plans the selected scopes by comparing the files with live; no client exists that could write. `drift` shows the same plan read
 * the other way. Throws for a target that the files do not declare, and for missing credentials.
 */
export async function plan(
  selection: PlanSelection,
  options: ServiceOptions,
  report: OnEvent,
): Promise<PlanResult> {
  const environment = keepingSecrets(selection.environment ?? {}, options.secrets.former);
  const loaded = await outline({ ...selection, environment, today: options.today });
  if (loaded.kind === 'invalid') {
    return loaded;
  }
  const { project, sources } = loaded;
  const since = compareStates(loaded, selection);
  const { root } = project;
  const { whole, wanted, branch } = await scopesOfRun(project, selection, { root, since, report });
  const diagnostics = findingsAbout(wanted, project.scopes, loaded.diagnostics);
  const { today, clock, concurrency, budget, bound, secrets } = options;
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
  const opening = { options: havingScopes(options, project.scopes), open: openReadClient, report };
  return withService(opening, async (service) => {
    const parts = await planScopes(wanted, {
      service,
      secrets,
      open: (scope) => withoutExpired(project.open(scope), today),
      before: states === null ? undefined : formerSecrets(states),
      safety: guards.safety,
      today,
      clock,
      concurrency,
      budget,
      bound,
      report,
      lists,
      lock,
      purpose,
      only: selection.only,
    });
    const { identity } = service;
    // What a run trusts is the revision itself; what a branch lets go of is what it had when it began.
    const former = selection.settingsFrom === undefined ? branch : states;
    const plan = planOf(parts, { identity, selection, states: former, whole, guards, today });
    const wrong = lists.findings();
    const found = sortDiagnostics([...diagnostics, ...wrong]);
    return {
      kind: 'planned',
      plan,
      safety: guards.safety,
      requests: service.requests(),
      diagnostics: found,
      sources: wrong.length === 0 ? sources : await project.sourcesOf(found),
    };
  });
}

/** Combines the plans of all scopes, with what the guards find in the whole. */
function planOf(
  parts: readonly PlannedPart[],
  run: {
    readonly identity: string;
    readonly selection: PlanSelection;
    readonly states: TwoStates | null;
    readonly whole: readonly ScopeOutline[];
    readonly guards: GuardBase;
    readonly today: string;
  },
): Plan {
  const { identity, selection, states, whole, today } = run;
  const { shard, targets } = selection;
  const { safety, findings } = run.guards;
  const scopes = parts.map(({ plan }) => plan);
  const facts = parts.map((part) => part.facts);
  const counts = facts.flatMap((one) => one.counts ?? []);
  const released = states === null ? [] : releasedSince(states, scopes, targets);
  const guarded = [
    ...withoutAllowed([...findings, ...released], safety, today),
    ...guardCounts(counts, safety, today),
  ];
  const plan = makePlan(identity, scopes, guarded, facts);
  return shard === undefined ? plan : planOfShard(plan, { shard, whole, safety }, facts);
}

interface ChosenScopes {
  readonly whole: readonly ScopeOutline[];
  readonly wanted: readonly ScopeOutline[];
  /** The files when the branch began, where scopes were chosen by what it changes. */
  readonly branch: TwoStates | null;
}

/** Selects the scopes of a run: `whole` for all its shards, `wanted` for this shard alone. */
async function scopesOfRun(
  project: OutlinedProject,
  selection: PlanSelection,
  comparing: Parameters<typeof branchChanges>[2],
): Promise<ChosenScopes> {
  const { targets, changedSince, shard, purpose } = selection;
  const targeted = narrow(project.scopes, targets);
  const { chosen, states } =
    changedSince === undefined
      ? { chosen: targeted, states: null }
      : await branchChanges(targeted, changedSince, comparing);
  const showsAll = purpose?.kind === 'drift' && purpose.unmanaged;
  const whole = showsAll ? wholeScopes(chosen, { selected: project.selected, targets }) : chosen;
  return {
    whole,
    branch: states,
    wanted: shard === undefined ? whole : whole.filter(({ scope }) => isInShard(scope, shard)),
  };
}
