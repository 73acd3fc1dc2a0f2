import { ofObject } from '../../model/index.ts';
import type { GuardFinding, ObjectStep, PlannedScope } from '../../model/index.ts';

/** An object that changes: its step, and what guards have to say of it; the effect of a weakening is that of `safety.weakened`. */
export interface PlannedObject<Step extends ObjectStep = ObjectStep> {
  readonly step: Step;
  readonly findings: readonly GuardFinding[];
}

/** How an object goes back to what it was before a step. */
export type ReversedObject<Step extends ObjectStep> =
  | { readonly kind: 'step'; readonly step: Step }
  /** It is what it was. */
  | { readonly kind: 'nothing' }
  /** Somebody else has changed what the step wrote, so that going back would undo that too. */
  | { readonly kind: 'touched' };

/** Returns what guards have to say of a step that weakens: nothing of another one. */
export function weakenedBy(
  { id, protection }: ObjectStep,
  effect: GuardFinding['effect'],
): readonly GuardFinding[] {
  return protection.kind !== 'weakening'
    ? []
    : [
        {
          kind: 'weakened',
          effect,
          step: id,
          message: `${id}: ${protection.reason}`,
          ...(protection.proven === false ? { proven: false } : {}),
        },
      ];
}

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
