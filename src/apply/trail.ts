import type { ReadClient } from '../api/client.ts';
import type { Base, Step } from '../model/plan.ts';
import type { LiveRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import { deviations, expectAfter } from '../plan/expect.ts';
import { baseOf } from '../plan/plan-ruleset.ts';
import type { Write } from '../plan/writes.ts';
import { isAtBase, lookUp } from './look-up.ts';

/** How far the writes of a step went: where the way back begins. */
export interface Trail {
  readonly step: Step;
  /** Live before the first write, at the base of the step. */
  readonly before: LiveRuleset | null;
  /** Live after the last write that is known to have landed; `before` when none is. */
  readonly left: LiveRuleset | null;
  /** A write that was sent and did not end well; `landed` where it is known to have taken effect all the same. */
  readonly inHand: { readonly write: Write; readonly landed: boolean } | null;
}

/** Whose work live is since the step was begun. */
export type Authorship =
  /** Nothing was written. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'ours'; readonly live: LiveRuleset | null }
  /** Somebody else wrote as well. */
  | { readonly kind: 'others'; readonly live: LiveRuleset | null };

const ABSENT: Base = { kind: 'absent' };

/** Reads what is live now where a step wrote, and tells whether all of it is the step's own work. */
export async function authorshipOf(trail: Trail, client: ReadClient, scope: Scope): Promise<Authorship> {
  const { step, before, left } = trail;
  const found = await lookUp(client, scope, step.target, left === null ? ABSENT : baseOf(left));
  // What is gone may have been made anew, under another id.
  const live = found ?? (left === null ? null : await lookUp(client, scope, step.target, ABSENT));
  if (isAtBase(live, before === null ? ABSENT : baseOf(before))) {
    return { kind: 'nobody' };
  }
  const isOurs = isAtBase(live, left === null ? ABSENT : baseOf(left)) || isFromHand(trail, live);
  return { kind: isOurs ? 'ours' : 'others', live };
}

/** Whether live is what the write in hand made of what was there: one version on, with its content. */
function isFromHand({ left, inHand }: Trail, live: LiveRuleset | null): boolean {
  if (inHand === null) {
    return false;
  }
  const expected = expectAfter(left, inHand.write);
  if (live === null || expected === null) {
    return live === null && expected === null;
  }
  return (
    (left === null || live.id === left.id) &&
    BigInt(live.version) === BigInt(left?.version ?? '0') + 1n &&
    (inHand.landed || deviations(expected, live).length === 0)
  );
}
