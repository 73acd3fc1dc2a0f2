import { describedName } from '../model/described-name.ts';
import type { Drift, DriftChange } from '../model/drift.ts';
import { groupBy } from '../model/group-by.ts';
import { scopeLabel } from '../model/scope.ts';
import { plannedScopes } from '../model/scope-plans.ts';
import type { Alike } from './alike-scopes.ts';
import { groupAlike } from './alike-scopes.ts';
import { counted } from './count.ts';
import { warningsInNotes } from './lines/finding.ts';
import { endingOf, endingWord, weakeningOf } from './lowering.ts';
import type { OwnIds, Scoped } from './own-ids.ts';
import { ownIdsIn } from './own-ids.ts';
import type { Detail } from './theme.ts';

/** Kinds of what must not be overlooked in drift, called as the guards call it: an outage is under way, a gap may be used one day. */
const KINDS = [
  {
    kind: 'every-request',
    title: 'Live ends every request, and the files do not',
    does: endingWord,
    says: endingOf,
  },
  {
    kind: 'weakened',
    title: 'Live protects less than the files, or may',
    does: () => 'may protect less',
    says: weakeningOf,
  },
] as const;

/** A rule that is found, and what live does by it. */
export interface DriftFinding extends DriftChange, Scoped {
  readonly scope: string;
  readonly message: string;
}

/** What is found of one kind, each thing once. */
export interface DriftFindings {
  readonly kind: (typeof KINDS)[number]['kind'];
  readonly title: string;
  readonly found: readonly Alike<DriftFinding>[];
}

/** Where something is found: changes, and the plans of their scopes if their ids are not to tell them apart. */
interface FoundIn extends Pick<Drift, 'changes'> {
  readonly plan: Pick<Drift['plan'], 'scopes'>;
}

/** So many of a kind are shown on top: of a project that was never applied, every rule is missing live. */
export const MOST_DRIFT_SHOWN = 10;

/** What stands on top of drift, however long the rest is; kinds of which nothing is found are left out. */
export function driftFindings(drift: FoundIn, detail: Detail = 'summed-up'): readonly DriftFindings[] {
  return KINDS.map(({ kind, title, says }) => ({
    kind,
    title,
    found: groupFound(drift, says, detail),
  })).filter(({ found }) => found.length > 0);
}

/** How many were found, for the end of a long report; null where there are none. */
export function driftFindingsSummary({ plan, changes }: Drift): string | null {
  const parts = [
    ...KINDS.flatMap(({ does, says }) => {
      const count = changes.filter((change) => says(change) !== undefined).length;
      return count === 0 ? [] : [`${counted(count, 'rule')} above ${does(count)}`];
    }),
    ...warningsInNotes(plan),
  ];
  return parts.length === 0 ? null : `${parts.join(', ')}.`;
}

/** Together where it is equal but for the rule or the scope. */
function groupFound(
  { plan, changes }: FoundIn,
  says: (change: DriftChange) => string | undefined,
  detail: Detail,
): readonly Alike<DriftFinding>[] {
  const found = groupBy(
    changes.flatMap((change) => {
      const message = says(change);
      return message === undefined ? [] : [{ ...change, message }];
    }),
    ({ scope }) => scope,
  );
  const own = new Map<DriftChange, OwnIds>(
    plannedScopes(plan.scopes).flatMap((scope) =>
      ownIdsIn(scope, found.get(scopeLabel(scope.scope)) ?? [], ({ rule, message }) => [rule, message]),
    ),
  );
  return groupAlike(
    [...found.values()].flat().map((one) => ({
      item: { ...one, own: own.get(one) },
      texts: [one.step, one.rule, one.description, one.message],
      rule:
        detail === 'each'
          ? undefined
          : {
              name: describedName(one.rule, one.description ?? ''),
              about: `${one.scope} ${one.step}`,
              says: one.message,
            },
    })),
  );
}
