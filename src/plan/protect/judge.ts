import type { RuleContent } from '../../model/rule.ts';
import { createProofs } from './conditions.ts';
import { mayLose, mayMatter } from './pair.ts';
import { createMoves } from './passed.ts';
import type { Moves, Standing } from './passed.ts';
import { judgeGone, judgeNew, judgePatched } from './place.ts';
import type { Neighbour } from './place.ts';
import type { Stand } from './stand.ts';
import type { Verdict } from './verdict.ts';
import { SAME } from './verdict.ts';

/** Where a rule of a ruleset stands whose content changes. */
interface PatchedAt {
  /** How many of the rules that are there before and after come before it in the end. */
  readonly ahead: number;
  /** Its place among the live rules before. */
  readonly live: number;
  readonly isMoved: boolean;
}

/** Tells what changes of the rules of one ruleset do to protection: whoever makes a plan asks it, and whoever checks one. */
export interface Judge {
  /** A new rule behind so many of those that are there before and after. */
  readonly added: (content: RuleContent, ahead: number) => Verdict;
  /** A rule that goes from a place among the live rules. */
  readonly gone: (content: RuleContent, live: number) => Verdict;
  readonly patched: (before: RuleContent, after: RuleContent, at: PatchedAt) => Verdict;
  /** A rule that is there before and after; a new name alone makes it no other rule. */
  readonly moves: Moves;
}

/** `standings` are the rules that are there before and after, in their final order. */
export function createJudge(standings: readonly Standing[], stand: Stand): Judge {
  const proofs = createProofs();
  const moves = createMoves(standings, stand, proofs);
  const rivals = new Map<string, readonly Neighbour[]>();
  const among = (one: string, other: string): readonly Neighbour[] => {
    const key = `${one} ${other}`;
    const rules = rivals.get(key) ?? rivalsOf([one, other], standings);
    rivals.set(key, rules);
    return rules;
  };
  return {
    added: (content, ahead) => {
      const { action } = content;
      return judgeNew(content, { rules: among(action, action), ahead, stand, proofs });
    },
    gone: (content, live) => {
      const { action } = content;
      return judgeGone(content, { rules: among(action, action), ahead: 0, live, stand, proofs });
    },
    patched: (before, after, { ahead, live, isMoved }) =>
      judgePatched(before, after, {
        moved: isMoved ? moves.forth(ahead) : SAME,
        around: { rules: among(before.action, after.action), ahead, live, stand, proofs },
      }),
    moves,
  };
}

/** The rules to which it may matter what a rule with these actions, before and after, does where it is: mostly few. */
function rivalsOf(actions: readonly string[], standings: readonly Standing[]): readonly Neighbour[] {
  const losing = actions.filter(mayLose);
  const found: Neighbour[] = [];
  for (let at = 0; losing.length > 0 && at < standings.length; at += 1) {
    const standing = standings[at];
    if (standing !== undefined && losing.some((action) => mayMatter(action, standing.content))) {
      const { ref, live, content } = standing;
      found.push({ ref, live, at, content, condition: undefined });
    }
  }
  return found;
}
