import type { OutlineResult } from '../../config/load-project.ts';
import { findLetGo, unknownLetGo } from '../../plan/guard/let-go.ts';
import type { GuardFinding, ScopePlan } from '../../model/plan.ts';
import { outline } from './load.ts';
import type { GuardBase } from './base-settings.ts';
import { guardsOfRevision } from './base-settings.ts';
import { atRevision } from './revision-project.ts';
import type { Selection } from './selection.ts';

/** A project as it was at a revision and as it is, both whole. */
export interface TwoStates {
  readonly revision: string;
  readonly before: OutlineResult;
  readonly now: OutlineResult;
  /** The guards of the revision, where the run is to have those. */
  readonly guards: GuardBase | null;
}

type Loaded = Extract<OutlineResult, { readonly kind: 'loaded' }>;

/**
 * Loads a project beside what it was at a revision, each revision once, with the variables of this run. Rejects with `settings/no-revision`
 * for one that Git does not have, and as `guardsOfRevision` for that of `settingsFrom`.
 */
export function beside(loaded: Loaded, selection: Selection): (revision: string) => Promise<TwoStates> {
  const states = new Map<string, Promise<TwoStates>>();
  const { project } = loaded;
  const load = (revision: string): Promise<TwoStates> =>
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
      // Files that narrow the run leave parts of a scope out, which would count as changed.
      now: selection.paths.length === 0 ? loaded : await outline({ ...selection, paths: [] }),
    }));
  return (revision) => {
    const state = states.get(revision) ?? load(revision);
    states.set(revision, state);
    return state;
  };
}

/** What the files let go of since a revision; that it is not known is a finding as well. */
export function letGoSince(
  { revision, before, now }: TwoStates,
  plans: readonly ScopePlan[],
): readonly GuardFinding[] {
  if (before.kind === 'invalid') {
    return [unknownLetGo(revision, firstFinding(before))];
  }
  return now.kind === 'invalid'
    ? []
    : findLetGo({
        before: before.project.scopes,
        now: now.project.scopes,
        known: plans.flatMap((plan) => (plan.kind === 'planned' ? [plan.scope] : [])),
      });
}

/** Why files are not valid, to stand at the end of a sentence. */
export function firstFinding({ diagnostics: [first] }: Pick<OutlineResult, 'diagnostics'>): string {
  const place = first?.where === undefined ? '' : `${first.where.file} `;
  return first === undefined ? '' : `: ${place}${first.message}`;
}
