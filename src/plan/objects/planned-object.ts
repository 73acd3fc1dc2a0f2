import type { GuardFinding, ObjectStep } from '../../model/index.ts';

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
