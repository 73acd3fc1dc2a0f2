import type { ReadClient } from '../../api/client.ts';
import { baseOf } from '../../model/ruleset.ts';
import type { Step } from '../../model/plan.ts';
import { stayingOf } from '../../model/rule-order.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import { expectAfter } from '../../plan/requests/expect.ts';
import type { Write } from '../../plan/requests/writes.ts';
import type { History } from './foreign-writes.ts';
import { readHistory } from './foreign-writes.ts';
import { isAtBase } from '../../model/base.ts';
import { lookUp } from './look-up.ts';
import type { Effect } from './write-failure.ts';

/** How far the writes of a step went: where the way back begins. */
export interface Trail {
  readonly step: Step;
  /** Live before the first write, at the base of the step. */
  readonly before: LiveRuleset | null;
  /** Live after the last write that ended well; `before` when none did. */
  readonly left: LiveRuleset | null;
  /** The last write sent after `left` whose result is a failure or unknown. */
  readonly inHand: { readonly write: Write; readonly effect: Effect } | null;
}

/** Whether something may have been written on it: what was sent and certainly did nothing leaves nothing to put back. */
export function mayHaveWritten({ before, left, inHand }: Trail): boolean {
  return before?.version !== left?.version || inHand === null || inHand.effect.kind !== 'none';
}

/** Whose work live is since the step was begun. */
export type Authorship =
  /** Live is as it was. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'ours'; readonly live: LiveRuleset | null }
  /** Somebody else wrote as well, or may have; without a history where the ruleset is another one, or none. */
  | { readonly kind: 'others'; readonly live: LiveRuleset | null; readonly history: History | null };

/** What is live now where a step wrote. */
export interface Found {
  readonly authorship: Authorship;
  /** Whether a write of the step is still in doubt: it may land on what is live. */
  readonly inDoubt: boolean;
}

/** Reads what is live now where a step wrote, and tells whether all of it is the step's own work. */
export async function authorshipOf(trail: Trail, client: ReadClient, scope: Scope): Promise<Found> {
  const { step, before, left, inHand } = trail;
  const inDoubt = inHand?.effect.kind === 'in-doubt';
  const found = await lookUp(client, scope, step.target, baseOf(left));
  // What is gone may have been made anew, under another id.
  const live = found ?? (left === null ? null : await lookUp(client, scope, step.target, baseOf(null)));
  if (isAtBase(live, baseOf(before))) {
    return { authorship: { kind: 'nobody' }, inDoubt };
  }
  if (isAtBase(live, baseOf(left))) {
    return { authorship: { kind: 'ours', live }, inDoubt };
  }
  // A write that did nothing made none of the versions.
  const sent = inHand === null || inHand.effect.kind === 'none' ? null : inHand;
  if (live === null || (left !== null && live.id !== left.id)) {
    const isDeleted = live === null && sent !== null && expectAfter(left, sent.write) === null;
    return isDeleted
      ? { authorship: { kind: 'ours', live }, inDoubt: false }
      : { authorship: { kind: 'others', live, history: null }, inDoubt: false };
  }
  const made = sent?.effect.kind === 'landed' ? sent.effect.version : null;
  const history = await readHistory({
    client,
    scope,
    write: sent?.write ?? null,
    made,
    before: left,
    staying: stayingOf(step),
    now: live,
  });
  const isOurs = history.others.length + history.unread.length === 0;
  return {
    authorship: isOurs ? { kind: 'ours', live } : { kind: 'others', live, history },
    inDoubt: inDoubt && history.ours === null,
  };
}
