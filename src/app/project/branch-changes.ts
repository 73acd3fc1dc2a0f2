import { scopeLabel } from '../../model/scope.ts';
import type { ScopeOutline } from '../../model/state.ts';
import { compareDesired } from '../../plan/difference/compare-desired.ts';
import type { OnEvent } from '../run/events.ts';
import { changedScopes } from './changed-since.ts';
import { branchPoint } from './git-revision.ts';
import type { TwoStates } from './two-states.ts';

/** The scopes that a branch changes, and the states that were compared. */
interface BranchChanges {
  readonly chosen: readonly ScopeOutline[];
  readonly states: TwoStates;
}

/**
 * Selects the wanted scopes that HEAD and the working tree have changed since they branched off from the revision. Changes that the revision has
 * merged since are reported instead: they would otherwise count as changed here, and be taken back. Rejects as `branchPoint` does.
 */
export async function branchChanges(
  wanted: readonly ScopeOutline[],
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
