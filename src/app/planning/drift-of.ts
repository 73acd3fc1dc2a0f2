import { formatPlace, sortDiagnostics } from '../../model/index.ts';
import type { ChangeAuthors, Diagnostic, Drift, EndingRule, Plan } from '../../model/index.ts';
import { driftChanges } from '../../plan/index.ts';

/** Reads a plan the other way: as how live differs from the files, and which rules of the files end. */
export function driftOf(
  plan: Plan,
  {
    ends = [],
    authors,
    now,
  }: {
    readonly ends?: readonly EndingRule[];
    readonly authors?: ChangeAuthors | undefined;
    /** Milliseconds since 1970. */ readonly now?: number | undefined;
  } = {},
): Drift {
  return { plan, changes: driftChanges(plan, authors, now), ends };
}

/** Returns the rules that end soon or have ended, from the findings about the files. */
export function endingRules(diagnostics: readonly Diagnostic[]): readonly EndingRule[] {
  return sortDiagnostics(diagnostics).flatMap(({ code, message, where, ends }): readonly EndingRule[] =>
    ends === undefined
      ? []
      : [
          {
            kind: code === 'active/ended' ? 'ended' : 'ends-soon',
            ...ends,
            place: where === undefined ? '' : formatPlace(where),
            message,
          },
        ],
  );
}
