import { hasErrors, DEFAULT_SAFETY } from '../../model/index.ts';
import type { RuleOwnership, Safety, DesiredScope, Plan, ReplayDocument } from '../../model/index.ts';
import { findProject, readHead } from '../../config/index.ts';
import { guardAgain, guardEnds, guardPart, withReplay } from '../../plan/index.ts';
import type { FileFindings } from '../run/results.ts';
import { load } from './load.ts';
import { firstFinding } from './first-finding.ts';
import type { Selection } from './selection.ts';

/** The guards of a run that is not about files, with the scopes that the files declare. */
export interface Guards {
  readonly safety: Safety;
  /** Whether plans keep examples of recorded requests. */
  readonly trafficExamples: boolean;
  /** `YYYY-MM-DD`, for allowances that end. */
  readonly today: string;
  readonly scopes: readonly DesiredScope[];
  /**
   * Whether the files of scopes are valid; if not, `scopes` is empty. `why` is the first error and its place, phrased to end a
   * sentence (`: FILE MESSAGE`).
   */
  readonly files: { readonly kind: 'valid' } | { readonly kind: 'invalid'; readonly why: string };
  /** The project's ownership of rules, for rulesets whose file does not set it. */
  readonly ownership: RuleOwnership;
  /** IANA name of the time zone of the project; absent without a project. */
  readonly timeZone?: string;
}

/** The guards, or the findings about the files that contain them. */
export type GuardsResult =
  | { readonly kind: 'read'; readonly guards: Guards }
  | ({ readonly kind: 'invalid' } & FileFindings);

const VALID = { kind: 'valid' } as const;

/**
 * Returns the guards of the project around the folder; the default ones without a project, since versions and rollback need none.
 * Invalid zone and account files do not prevent that, because a rollback is needed most when they are wrong; an invalid project file
 * does, because it contains the guards.
 */
export async function readGuards(selection: Selection, today: string): Promise<GuardsResult> {
  const { cwd, config } = selection;
  const found = await findProject({ cwd, config, paths: [] });
  if (found.kind === 'not-found' && config === undefined) {
    return {
      kind: 'read',
      guards: {
        safety: DEFAULT_SAFETY,
        trafficExamples: false,
        today,
        scopes: [],
        files: VALID,
        ownership: { kind: 'all' },
      },
    };
  }
  const loaded = await load({ ...selection, paths: [], targets: [] });
  if (loaded.kind === 'loaded') {
    const { settings, scopes } = loaded.project;
    const { safety, trafficExamples, ownership } = settings;
    return {
      kind: 'read',
      guards: {
        safety,
        trafficExamples,
        today,
        scopes,
        files: VALID,
        ownership: ownership.rules,
        timeZone: settings.timeZone,
      },
    };
  }
  const { diagnostics, sources } = loaded;
  // An error without a place is about the command line, such as a --var that nothing declares; that is no reason to do without the files.
  const isCommandWrong = diagnostics.some(
    ({ severity, where }) => severity === 'error' && where === undefined,
  );
  if (found.kind === 'not-found' || isCommandWrong) {
    return { kind: 'invalid', diagnostics, sources };
  }
  const { file: head } = await readHead(selection, found);
  return hasErrors(head.diagnostics)
    ? { kind: 'invalid', diagnostics, sources }
    : {
        kind: 'read',
        guards: {
          safety: head.settings.safety,
          trafficExamples: head.settings.trafficExamples,
          today,
          scopes: [],
          files: {
            kind: 'invalid',
            why: firstFinding({ diagnostics: diagnostics.filter(({ severity }) => severity === 'error') }),
          },
          ownership: head.settings.ownership.rules,
          timeZone: head.settings.timeZone,
        },
      };
}

/** Applies the guards of this run to a plan from a file, whose own guard findings are not trusted. */
export function guardSavedPlan(plan: Plan, { safety, today }: Guards): Plan {
  return guardAgain(plan, safety, today);
}

/**
 * Applies the guards of this run to a part of a reviewed plan; findings that count use the numbers of the whole plan instead of the
 * part's.
 */
export function guardReviewedPart(
  part: Plan,
  whole: Plan,
  { safety, today }: Pick<Guards, 'safety' | 'today'>,
): Plan {
  return guardPart(part, whole, safety, today);
}

/** Judges by the clock what a plan says of deleted rules whose window has an end. */
export function guardByClock(
  plan: Plan,
  given: Pick<Guards, 'safety' | 'today'> & { readonly now: number },
): Plan {
  return guardEnds(plan, given);
}

/** Adds to a plan what it would have done to recorded requests, and applies the guards to that. */
export function addReplay(
  plan: Plan,
  replay: ReplayDocument,
  { safety, today, trafficExamples: examples }: Pick<Guards, 'safety' | 'today' | 'trafficExamples'>,
): Plan {
  return withReplay(plan, replay, { safety, today, examples });
}
