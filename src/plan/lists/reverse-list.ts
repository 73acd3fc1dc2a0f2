import { isItemAsWanted, listItemKey } from '../../model/index.ts';
import type { ListItem, ListItemChange, ListStep, LiveListHead, LiveListItem } from '../../model/index.ts';
import type { ReversedObject } from '../objects/planned-object.ts';

/**
 * Returns the step that undoes a step on a list, or as much of it as is live: what it added goes, what it removed comes back, and what it changed says
 * again what it said. Items that others have added or changed since are left alone; a list that the step made and others have filled is not deleted.
 */
export function reverseListStep(
  step: ListStep,
  head: LiveListHead | null,
  live: readonly LiveListItem[],
): ReversedObject<ListStep> {
  const { operation, items } = step;
  if (operation === 'delete') {
    const { remove } = items;
    const back = { add: remove.map(({ item }) => item), change: [], remove: [] };
    const description = step.description === undefined ? {} : { description: swapped(step.description) };
    return head === null
      ? {
          kind: 'step',
          step: { ...step, operation: 'create', base: { kind: 'absent' }, items: back, ...description },
        }
      : { kind: 'nothing' };
  }
  if (head === null) {
    return operation === 'create' ? { kind: 'nothing' } : { kind: 'touched' };
  }
  const byKey = new Map(live.map((one) => [listItemKey(one.item), one]));
  const remove = items.add.flatMap((item): readonly LiveListItem[] => {
    const found = byKey.get(listItemKey(item));
    return found !== undefined && isItemAsWanted(item, found.item) ? [found] : [];
  });
  const base = { kind: 'list', id: head.id, modifiedOn: head.modifiedOn, items: head.itemCount } as const;
  if (operation === 'create') {
    return remove.length === live.length
      ? {
          kind: 'step',
          step: {
            ...step,
            operation: 'delete',
            base,
            turn: 'last',
            items: { add: [], change: [], remove: live },
          },
        }
      : { kind: 'touched' };
  }
  const add: readonly ListItem[] = items.remove.flatMap(({ item }) =>
    byKey.has(listItemKey(item)) ? [] : [item],
  );
  const change = items.change.flatMap(({ before, after }): readonly ListItemChange[] => {
    const found = byKey.get(listItemKey(after))?.item;
    return found !== undefined && isItemAsWanted(after, found) ? [{ before: found, after: before }] : [];
  });
  const isDescribed = step.description !== undefined && head.description === step.description.after;
  const { description, ...rest } = step;
  return add.length + change.length + remove.length === 0 && !isDescribed
    ? { kind: 'nothing' }
    : {
        kind: 'step',
        step: {
          ...rest,
          base,
          items: { add, change, remove },
          writing: step.writing === 'add-remove' ? 'remove-add' : 'add-remove',
          ...(isDescribed && description !== undefined ? { description: swapped(description) } : {}),
        },
      };
}

function swapped({ before, after }: { readonly before: string; readonly after: string }) {
  return { before: after, after: before };
}

/** Returns what a step does that another one does not: by the keys of its items. */
export function withoutItems(step: ListStep, other: ListStep | undefined): ListStep {
  if (other === undefined) {
    return step;
  }
  const { add, change, remove } = other.items;
  const still = new Set(
    [...add, ...change.map(({ after }) => after), ...remove.map(({ item }) => item)].map(listItemKey),
  );
  const isGone = (item: ListItem): boolean => !still.has(listItemKey(item));
  const { description, ...rest } = step;
  return {
    ...rest,
    ...(description === undefined || other.description !== undefined ? {} : { description }),
    items: {
      add: step.items.add.filter(isGone),
      change: step.items.change.filter(({ after }) => isGone(after)),
      remove: step.items.remove.filter(({ item }) => isGone(item)),
    },
  };
}

/** Whether live is what the step leads to: nothing it removes is there, and all that it adds and changes is as it says. */
export function isListDone(
  { operation, description, items }: ListStep,
  head: LiveListHead | null,
  live: readonly LiveListItem[],
): boolean {
  if (operation === 'delete' || head === null) {
    return operation === 'delete' && head === null;
  }
  const byKey = new Map(live.map(({ item }) => [listItemKey(item), item]));
  const written = [...items.add, ...items.change.map(({ after }) => after)];
  return (
    (description === undefined || description.after === head.description) &&
    items.remove.every(({ item }) => !byKey.has(listItemKey(item))) &&
    written.every((item) => {
      const found = byKey.get(listItemKey(item));
      return found !== undefined && isItemAsWanted(item, found);
    })
  );
}
