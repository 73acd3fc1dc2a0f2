import { lastDecides } from '../../model/decided-parts.ts';
import { describedName } from '../../model/described-name.ts';
import type { RuleContent } from '../../model/rule.ts';
import { arePlainlyApart, conditionOf } from './conditions.ts';
import type { KnownCondition, Proofs } from './conditions.ts';
import { judgeAdded, judgeChanged, judgeRemoved } from './content.ts';
import type { Stand } from './stand.ts';
import { actingRules } from './executed.ts';
import { judgeOver, mayLose, mayMatter } from './pair.ts';
import type { Verdict } from './verdict.ts';
import { SAME, together, weaker } from './verdict.ts';

/** A rule that is there before and after. */
export interface Neighbour {
  readonly ref: string;
  readonly content: RuleContent;
  /** Its place among the live rules before. */
  readonly live: number;
  /** Its place in the final order among those that are there before and after. */
  readonly at: number;
  /** What is known of its condition, once somebody asked. */
  condition?: KnownCondition | undefined;
}

/** Where a rule stands, and among which of those that are there before and after. */
export interface Surroundings {
  readonly stand: Stand;
  readonly proofs: Proofs;
  /** Those that may matter to it, in the final order. */
  readonly rules: readonly Neighbour[];
  /** How many of all that are there before and after come before it in the end. */
  readonly ahead: number;
  /** Its own place among the live rules before; absent for a new one. */
  readonly live?: number;
}

/** What a new rule does to protection where it stands. */
export function judgeNew(content: RuleContent, around: Surroundings): Verdict {
  return together([judgeAdded(content, around.stand), judgeTaken(null, content, around)]);
}

/** What the end of a rule does to protection where it stood. */
export function judgeGone(content: RuleContent, around: Surroundings): Verdict {
  return together([judgeRemoved(content, around.stand), judgeLeft(content, null, around)]);
}

/** What the new content of a rule does to protection where it stands; `moved` is what its way there does. */
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
 * What a rule that is new, or does more than before, takes from those that would decide without it: from rules behind it that would end
 * evaluation more firmly, or, where the last one decides, from those ahead. So do the rules that it executes. `before` is what it was;
 * null when it is new.
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
        ? `comes behind ${name} and decides in its place: ${reason}`
        : `comes before ${name}, so that ${reason}`,
    around,
  });
}

/** What a rule that goes, or does less than before, leaves to those that it came behind, where the last one decides. */
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
  /** The rule as it takes or leaves requests, and as it is on the other side of the change. */
  readonly own: RuleContent;
  readonly kept: RuleContent | null;
  readonly others: (other: Neighbour) => boolean;
  /** What it does that another rule decides where both meet, but for what the rule `kept` decides anyway. */
  readonly over: (other: RuleContent, kept: RuleContent | null) => Verdict;
  readonly tell: (name: string, reason: string) => string;
  readonly around: Surroundings;
}

/** The first rule that makes a change of this one a weakening. What is cheap comes first: a proof costs more than all else. */
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
      return weaker(tell(describedName(other.ref, content.description), verdict.reason));
    }
  }
  return SAME;
}

/** Whether a rule meets, on the other side of its change, all that it has in common with another one. */
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
