import type { RuleContent } from '../../model/index.ts';
import { createProofs } from './conditions.ts';
import { createMoves } from './judge-moves.ts';
import type { KeptRule, Moves } from './judge-moves.ts';
import type { EffectContext, SecurityImpact } from './security-effect.ts';
import { SAME } from './security-effect.ts';
import { mayLose, mayMatter, judgeGone, judgeNew, judgePatched } from './judge-order.ts';
import type { Neighbour } from './judge-order.ts';

/** The place of a rule whose content changes. */
interface PatchedAt {
  /** How many of the rules that exist before and after precede it in the end. */
  readonly ahead: number;
  /** Its index among the live rules. */
  readonly live: number;
  readonly isMoved: boolean;
}

/** Judges what changes of one ruleset's rules do to protection; used both to make plans and to check them. */
export interface ChangeJudge {
  /** Judges a new rule that comes after `ahead` of the rules that exist before and after. */
  readonly added: (content: RuleContent, ahead: number) => SecurityImpact;
  /** Judges the deletion of a rule at an index among the live rules. */
  readonly gone: (content: RuleContent, live: number) => SecurityImpact;
  readonly patched: (before: RuleContent, after: RuleContent, at: PatchedAt) => SecurityImpact;
  /** Judges moves of rules that exist before and after; a rule that only gets a new name is the same rule. */
  readonly moves: Moves;
}

/** Creates the judge. `keptRules` are the rules that exist before and after, in their final order. */
export function createJudge(keptRules: readonly KeptRule[], context: EffectContext): ChangeJudge {
  const proofs = createProofs();
  const moves = createMoves(keptRules, context, proofs);
  const rivals = new Map<string, readonly Neighbour[]>();
  const among = (one: string, other: string): readonly Neighbour[] => {
    const key = `${one} ${other}`;
    const rules = rivals.get(key) ?? rivalsOf([one, other], keptRules);
    rivals.set(key, rules);
    return rules;
  };
  return {
    added: (content, ahead) => {
      const { action } = content;
      return judgeNew(content, { rules: among(action, action), ahead, context, proofs });
    },
    gone: (content, live) => {
      const { action } = content;
      return judgeGone(content, { rules: among(action, action), ahead: 0, live, context, proofs });
    },
    patched: (before, after, { ahead, live, isMoved }) =>
      judgePatched(before, after, {
        moved: isMoved ? moves.forth(ahead) : SAME,
        around: { rules: among(before.action, after.action), ahead, live, context, proofs },
      }),
    moves,
  };
}

/** Returns the rules that may be affected by what a rule with these actions (before and after) does at its place: usually few. */
function rivalsOf(actions: readonly string[], keptRules: readonly KeptRule[]): readonly Neighbour[] {
  const losing = actions.filter(mayLose);
  const found: Neighbour[] = [];
  for (let at = 0; losing.length > 0 && at < keptRules.length; at += 1) {
    const keptRule = keptRules[at];
    if (keptRule !== undefined && losing.some((action) => mayMatter(action, keptRule.content))) {
      const { ref, live, content } = keptRule;
      found.push({ ref, live, at, content, condition: undefined });
    }
  }
  return found;
}
