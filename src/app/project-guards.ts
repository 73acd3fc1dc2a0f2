import { systemClock } from '../api/clock.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Safety } from '../model/settings.ts';
import { DEFAULT_SAFETY } from '../model/settings.ts';
import type { DesiredScope } from '../model/state.ts';
import { findProject } from '../config/project/find-project.ts';
import { load } from './load.ts';
import type { FileFindings } from './results.ts';
import type { Selection } from './selection.ts';

/** The guards of a run that is not about files, and the scopes that the files declare. */
export interface Guards {
  readonly safety: Safety;
  /** `YYYY-MM-DD`, for allowances that end. */
  readonly today: string;
  readonly scopes: readonly DesiredScope[];
}

/** The guards, or what is wrong with the files that say them. */
export type GuardsResult =
  | { readonly kind: 'read'; readonly guards: Guards }
  | ({ readonly kind: 'invalid' } & FileFindings);

/**
 * The guards of the project around the folder; the usual ones where there is no project, for versions and
 * the way back need none. A project that is not valid stops, since its guards are not known.
 */
export async function readGuards(selection: Selection): Promise<GuardsResult> {
  const today = new Date(systemClock.now()).toISOString().slice(0, 10);
  const { cwd, config } = selection;
  const found = await findProject({ cwd, ...(config === undefined ? {} : { config }), paths: [] });
  if (found.kind === 'not-found' && config === undefined) {
    return { kind: 'read', guards: { safety: DEFAULT_SAFETY, today, scopes: [] } };
  }
  const loaded = await load({ ...selection, paths: [], targets: [] });
  const diagnostics: readonly Diagnostic[] = loaded.diagnostics;
  return loaded.kind === 'invalid'
    ? { kind: 'invalid', diagnostics, sources: loaded.sources }
    : {
        kind: 'read',
        guards: { safety: loaded.project.settings.safety, today, scopes: loaded.project.scopes },
      };
}
