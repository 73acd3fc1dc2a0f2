import { lastDecides } from '../../model/decided-parts.ts';
import { describedName } from '../../model/described-name.ts';
import type { RuleContent } from '../../model/rule.ts';
import { arePlainlyApart, conditionOf } from './conditions.ts';
import type { KnownCondition, Proofs } from './conditions.ts';
import { judgeAdded, judgeChanged, judgeRemoved } from './content.ts';
import type { Stand } from './stand.ts';
import { actingRules } from './executed.ts';
import { judgeOver, mayLose, mayMatter } from './judge-pair.ts';
import type { Verdict } from './verdict.ts';
import { SAME, together } from './verdict.ts';

/** A rule that exists before and after. */
export interface Neighbour {
  readonly ref: string;
  readonly content: RuleContent;
  /** Its index among the live rules. */
  readonly live: number;
  /** Its index in the final order among the rules that exist before and after. */
  readonly at: number;
  /** Its condition, set once somebody asked for it. */
  condition?: KnownCondition | undefined;
}

/** Where a rule stands, and the rules around it that exist before and after. */
export interface Surroundings {
  readonly stand: Stand;
  readonly proofs: Proofs;
  /** The rules that may be affected, in the final order. */
  readonly rules: readonly Neighbour[];
  /** How many of all rules that exist before and after precede it in the end. */
  readonly ahead: number;
  /** Its own index among the live rules; absent for a new rule. */
  readonly live?: number;
}

/** Judges what a new rule does to protection at its place. */
export function judgeNew(content: RuleContent, around: Surroundings): Verdict {
  return together([judgeAdded(content, around.stand), judgeTaken(null, content, around)]);
}

/** Judges what the deletion of a rule does to protection at its place. */
export function judgeGone(content: RuleContent, around: Surroundings): Verdict {
  return together([judgeRemoved(content, around.stand), judgeLeft(content, null, around)]);
}

/** Judges what new content of a rule does to protection at its place; `moved` is the verdict on its move. */
export function judgePatched(
  before: RuleContent,
  after: RuleContent,
  { moved, around }: { readonly moved: Verdict; readonly around: Surroundings },
): Verdict {
  return together([
    judgeChanged(before, after, around.stand),
    moved,
    judgeTaken(before, after, around),
    judgeLeft(before, after, around),
  ]);
}

/**
 * Judges what a rule that is new, or does more than before, takes from rules that would decide without it: from rules after it that would end
 * evaluation more firmly or, where the last rule decides, from rules before it. The rules that it executes take likewise. `before` is the
 * former content; null when the rule is new.
 */
function judgeTaken(before: RuleContent | null, after: RuleContent, around: Surroundings): Verdict {
  const { stand } = around;
  const isSame = before?.action_parameters?.['id'] === after.action_parameters?.['id'];
  const did = before === null || !isSame ? [] : actingRules(before, stand);
  const verdicts = actingRules(after, stand).map((rule, at) => takenBy(did[at] ?? before, rule, around));
  return verdicts.find(({ kind }) => kind === 'weaker') ?? SAME;
}

function takenBy(before: RuleContent | null, after: RuleContent, around: Surroundings): Verdict {
  const isLast = lastDecides(after.action);
  return firstLoss({
    own: after,
    kept: before,
    others: ({ at }) => at < around.ahead === isLast,
    over: (other, kept) => judgeOver({ winner: after, loser: other, kept, stand: around.stand }),
    tell: (name, reason) =>
      isLast
        ? `comes after ${name} and decides in its place: ${reason}`
        : `comes before ${name}, so that ${reason}`,
    around,
  });
}

/** Judges what a rule that is deleted, or does less than before, leaves to the rules before it, where the last rule decides. */
function judgeLeft(before: RuleContent, after: RuleContent | null, around: Surroundings): Verdict {
  const { live = 0 } = around;
  return lastDecides(before.action)
    ? firstLoss({
        own: before,
        kept: after,
        others: (other) => other.live < live,
        over: (other, kept) => judgeOver({ winner: other, loser: before, kept, stand: around.stand }),
        tell: (name, reason) => `${name} decides in its place: ${reason}`,
        around,
      })
    : SAME;
}

interface Loss {
  /** The rule as it takes over or leaves requests. */
  readonly own: RuleContent;
  readonly kept: RuleContent | null;
  readonly others: (other: Neighbour) => boolean;
  /** Judges that the other rule and this one swap who decides requests that both match, except what `kept` decides anyway. */
  readonly over: (other: RuleContent, kept: RuleContent | null) => Verdict;
  readonly tell: (name: string, reason: string) => string;
  readonly around: Surroundings;
}

/** Finds the first rule because of which the change weakens. Cheap checks come first, since a proof costs more than all others. */
function firstLoss({ own, kept, others, over, tell, around }: Loss): Verdict {
  if (!own.enabled || !mayLose(own.action)) {
    return SAME;
  }
  let condition: KnownCondition | undefined;
  for (const other of around.rules) {
    const { content } = other;
    if (other.live === around.live || !others(other) || !mayMatter(own.action, content)) {
      continue;
    }
    condition ??= conditionOf(own.expression);
    other.condition ??= conditionOf(content.expression);
    if (
      arePlainlyApart(condition, other.condition) ||
      over(content, null).kind !== 'weaker' ||
      around.proofs.areApart(condition, other.condition)
    ) {
      continue;
    }
    const isMet = kept !== null && meetsAsMuch(around.proofs, { kept, own, other: content });
    const verdict = over(content, isMet ? kept : null);
    if (verdict.kind === 'weaker') {
      return { ...verdict, reason: tell(describedName(other.ref, content.description), verdict.reason) };
    }
  }
  return SAME;
}

/** Whether a rule, on the other side of its change, matches all requests that it has in common with another rule. */
function meetsAsMuch(
  { isWithin }: Proofs,
  {
    kept,
    own,
    other,
  }: { readonly kept: RuleContent; readonly own: RuleContent; readonly other: RuleContent },
): boolean {
  return (
    kept.enabled &&
    (kept.expression === own.expression ||
      isWithin(own.expression, kept.expression) ||
      isWithin(other.expression, kept.expression))
  );
}
