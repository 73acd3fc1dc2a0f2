import { ofObject } from '../../model/index.ts';
import type { ObjectStep, PlannedScope } from '../../model/index.ts';
import type { PlannedObject } from './planned-object.ts';

/** Leaves out the objects whose change weakens or removes something, where a run only strengthens; the plan says so. */
export function strengtheningObjects<Step extends ObjectStep>(
  objects: readonly PlannedObject<Step>[],
  plan: PlannedScope,
  only: 'strengthening' | undefined,
): { readonly objects: readonly PlannedObject<Step>[]; readonly plan: PlannedScope } {
  const isKept = ({ step }: PlannedObject): boolean =>
    only === undefined ||
    (step.protection.kind !== 'weakening' &&
      ofObject(step, {
        list: ({ operation, items }) => operation !== 'delete' && items.remove.length === 0,
        setting: () => true,
      }));
  const left = objects.filter((object) => !isKept(object));
  return {
    objects: objects.filter(isKept),
    plan: {
      ...plan,
      notes: [
        ...plan.notes,
        ...left.map(({ step }) => ({
          kind: 'left-out' as const,
          step: step.id,
          rule: '',
          message: ofObject(step, {
            list: () =>
              'its items would change in a way that removes some or may protect less, so it is left as it is',
            setting: () => 'it would protect less, or may, so it is left as it is',
          }),
        })),
      ],
    },
  };
}
