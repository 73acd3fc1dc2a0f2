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
import { isAsLeft, lookUp } from './look-up.ts';
import type { Effect } from './write-failure.ts';

/** How far the writes of a step went: where its rollback begins. */
export interface Trail {
  readonly step: Step;
  /** Live before the first write, at the base of the step. */
  readonly before: LiveRuleset | null;
  /** Live after the last write that ended well; `before` when none did. */
  readonly left: LiveRuleset | null;
  /** The last write that was sent after `left`, and failed or has an unknown result. */
  readonly inHand: { readonly write: Write; readonly effect: Effect } | null;
}

/** Whether a step may have written something; a write that certainly did nothing leaves nothing to put back. */
export function mayHaveWritten({ before, left, inHand }: Trail): boolean {
  return before?.version !== left?.version || inHand === null || inHand.effect.kind !== 'none';
}

/** Who changed live since the step was begun. */
export type Authorship =
  /** Nobody: live is as it was before the step. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'ours'; readonly live: LiveRuleset | null }
  /** Somebody else wrote as well, or may have; `history` is null when the ruleset was deleted, or is another one than the step left. */
  | { readonly kind: 'others'; readonly live: LiveRuleset | null; readonly history: History | null };

/** The live state of a ruleset that a step wrote. */
export interface Found {
  readonly authorship: Authorship;
  /** Whether a write of the step is still in doubt, and may land on the live ruleset. */
  readonly inDoubt: boolean;
}

/** Reads the live state of a ruleset that a step wrote, and determines whether all changes are the step's own. */
export async function authorshipOf(trail: Trail, client: ReadClient, scope: Scope): Promise<Found> {
  const { step, before, left, inHand } = trail;
  const inDoubt = inHand?.effect.kind === 'in-doubt';
  const found = await lookUp(client, scope, step.target, baseOf(left));
  // A ruleset that is gone may have been made again, under another id.
  const live = found ?? (left === null ? null : await lookUp(client, scope, step.target, baseOf(null)));
  if (isAtBase(live, baseOf(before))) {
    return { authorship: { kind: 'nobody' }, inDoubt };
  }
  if (isAtBase(live, baseOf(left))) {
    const isOurs = left === null || live === null || isAsLeft(left, live);
    return { authorship: isOurs ? { kind: 'ours', live } : { kind: 'others', live, history: null }, inDoubt };
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
