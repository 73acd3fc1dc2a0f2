import type { AuthorsOfChange, ChangeAuthors } from './audit.ts';
import type { RuleChange } from './change.ts';
import type { DriftChange } from './drift.ts';
import type { ListStep } from './list-step.ts';
import type { ObjectStep } from './object-step.ts';
import { ofObject } from './object-step.ts';

/** How a change of a plan differs live. */
export const DIFFERENCES: Readonly<Record<RuleChange['kind'], DriftChange['difference']>> = {
  add: 'missing-live',
  patch: 'changed-live',
  move: 'moved-live',
  delete: 'only-live',
};

const LIST_DIFFERENCES: Readonly<Record<ListStep['operation'], DriftChange['difference']>> = {
  create: 'missing-live',
  update: 'changed-live',
  delete: 'only-live',
};

/** Returns how a list or a setting differs live. */
export function objectDifference(step: ObjectStep): DriftChange['difference'] {
  return ofObject(step, {
    list: ({ operation }) => LIST_DIFFERENCES[operation],
    setting: () => 'changed-live' as const,
  });
}

/** Returns the key of a change among the authors. Lists and settings have one each, without a rule. */
export function authorKey({
  step,
  rule,
  difference,
}: Pick<DriftChange, 'step' | 'rule' | 'difference'>): string {
  return JSON.stringify([step, rule, difference]);
}

/** Returns who made a change; what a list does by a rule was made by who changed the list. */
export function authorshipOf(
  change: Pick<DriftChange, 'step' | 'rule' | 'difference'>,
  authors: ChangeAuthors,
): AuthorsOfChange | undefined {
  return authors.get(authorKey(change)) ?? authors.get(authorKey({ ...change, rule: '' }));
}

/** Returns who made the changes of drift, as these say it. */
export function authorsAmong(changes: readonly DriftChange[]): ChangeAuthors {
  return new Map(
    changes.flatMap((change) => {
      const { changed_by, not_known } = change;
      return changed_by === undefined
        ? []
        : [[authorKey(change), { changed_by, ...(not_known === undefined ? {} : { not_known }) }] as const];
    }),
  );
}
