import { hasErrors } from '../../model/diagnostic.ts';
import type { RuleOwnership } from '../../model/ruleset.ts';
import type { Safety } from '../../model/settings.ts';
import { DEFAULT_SAFETY } from '../../model/settings.ts';
import type { DesiredScope } from '../../model/state.ts';
import { findProject } from '../../config/project/find-project.ts';
import { readProjectFile } from '../../config/project/project-file.ts';
import { readSource } from '../../config/project/read-source.ts';
import type { Plan } from '../../model/plan.ts';
import { guardAgain } from '../../plan/guard/guard-again.ts';
import { guardPart } from '../../plan/guard/guard-part.ts';
import { load } from './load.ts';
import { firstFinding } from './first-finding.ts';
import type { FileFindings } from '../run/results.ts';
import type { Selection } from './selection.ts';

/** The guards of a run that is not about files, and the scopes that the files declare. */
export interface Guards {
  readonly safety: Safety;
  /** `YYYY-MM-DD`, for allowances that end. */
  readonly today: string;
  readonly scopes: readonly DesiredScope[];
  /** Whether the files of scopes could be read; where they are not valid, no scope is known. `why` is the first error and its place, phrased to end a sentence (`: FILE MESSAGE`). */
  readonly files: { readonly kind: 'valid' } | { readonly kind: 'invalid'; readonly why: string };
  /** Which rules are ours, where a file does not say it for itself. */
  readonly ownership: RuleOwnership;
}

/** The guards, or what is wrong with the files that say them. */
export type GuardsResult =
  | { readonly kind: 'read'; readonly guards: Guards }
  | ({ readonly kind: 'invalid' } & FileFindings);

const VALID = { kind: 'valid' } as const;

/**
 * The guards of the project around the folder; the usual ones where there is no project, for versions and
 * the way back need none. Zone and account files that are not valid do not stop, since the way back is
 * wanted most when they are wrong; a project file that is not valid does, since it says the guards.
 */
export async function readGuards(selection: Selection, today: string): Promise<GuardsResult> {
  const { cwd, config } = selection;
  const found = await findProject({ cwd, config, paths: [] });
  if (found.kind === 'not-found' && config === undefined) {
    return {
      kind: 'read',
      guards: { safety: DEFAULT_SAFETY, today, scopes: [], files: VALID, ownership: { kind: 'all' } },
    };
  }
  const loaded = await load({ ...selection, paths: [], targets: [] });
  if (loaded.kind === 'loaded') {
    const { settings, scopes } = loaded.project;
    return {
      kind: 'read',
      guards: { safety: settings.safety, today, scopes, files: VALID, ownership: settings.ownership.rules },
    };
  }
  const { diagnostics, sources } = loaded;
  // What has no place in a file is said of the command line, such as a --var that nothing declares; that is no reason to do without the files.
  const isCommandWrong = diagnostics.some(
    ({ severity, where }) => severity === 'error' && where === undefined,
  );
  if (found.kind === 'not-found' || isCommandWrong) {
    return { kind: 'invalid', diagnostics, sources };
  }
  const head = readProjectFile(await readSource(found.root, found.file));
  return hasErrors(head.diagnostics)
    ? { kind: 'invalid', diagnostics, sources }
    : {
        kind: 'read',
        guards: {
          safety: head.settings.safety,
          today,
          scopes: [],
          files: {
            kind: 'invalid',
            why: firstFinding({ diagnostics: diagnostics.filter(({ severity }) => severity === 'error') }),
          },
          ownership: head.settings.ownership.rules,
        },
      };
}

/** A plan from a file under the guards of this run; what the file says of guards is not believed. */
export function guardSavedPlan(plan: Plan, { safety, today }: Guards): Plan {
  return guardAgain(plan, safety, today);
}

/** A part of a reviewed plan, with what the guards of its run find about the whole in place of its own numbers. */
export function guardReviewedPart(
  part: Plan,
  whole: Plan,
  { safety, today }: Pick<Guards, 'safety' | 'today'>,
): Plan {
  return guardPart(part, whole, safety, today);
}
