import type { Step, GuardFinding, Safety, Threshold } from '../../model/index.ts';
import { othersOf, ourRuleCounts } from '../../model/index.ts';
import { isNaming } from '../match/name-rules.ts';

/**
 * How many live rules of ours there are in a ruleset, scope or run, and how many of them are deleted or change. Rules of others do not count:
 * they must not decide what passes.
 */
export interface RuleCounts {
  readonly live: number;
  readonly deleted: number;
  readonly changed: number;
}

/** Counts with their subject in words: `zone:shop.example/http_ratelimit`, `zone:shop.example`, `the whole run`. */
export interface Tally extends RuleCounts {
  readonly subject: string;
  readonly step?: string | undefined;
  /** What is counted; rules unless given. */
  readonly what?: 'items';
}

/**
 * Counts our live rules in a step's ruleset, and how many of them are deleted or change. Moves count, since a rule may do something else in
 * another place; merely giving a rule its first name does not.
 */
export function countRules(step: Step): RuleCounts {
  let [deleted, changed] = [0, 0];
  const others = new Set(othersOf(step));
  for (const change of step.changes) {
    const { kind } = change;
    deleted += kind === 'delete' && !others.has(change.id) ? 1 : 0;
    changed += kind === 'move' || (kind === 'patch' && !isNaming(change)) ? 1 : 0;
  }
  return { live: ourRuleCounts(step).before, deleted, changed };
}

/** Sums the counts of several rulesets or scopes. */
export function totalCounts(counts: readonly RuleCounts[]): RuleCounts {
  const sum = (count: (one: RuleCounts) => number): number =>
    counts.reduce((all, one) => all + count(one), 0);
  return {
    live: sum(({ live }) => live),
    deleted: sum(({ deleted }) => deleted),
    changed: sum(({ changed }) => changed),
  };
}

/**
 * Finds counts of deleted or changed rules above the limits. With fewer than `minRules` live rules, a percentage is taken of `minRules`: so a
 * few rules may always change, and never more than in a slightly larger ruleset.
 */
export function checkThresholds(tally: Tally, safety: Safety): readonly GuardFinding[] {
  return [
    ...exceeded(tally, { kind: 'deleted', count: tally.deleted, threshold: safety.maxDeleted, safety }),
    ...exceeded(tally, { kind: 'changed', count: tally.changed, threshold: safety.maxChanged, safety }),
  ];
}

const WOULD = { deleted: 'be deleted', changed: 'change or move' } as const;

interface ThresholdCount {
  readonly kind: 'deleted' | 'changed';
  readonly count: number;
  readonly threshold: Threshold;
  readonly safety: Safety;
}

function exceeded(tally: Tally, { kind, count, threshold, safety }: ThresholdCount): readonly GuardFinding[] {
  const base = Math.max(tally.live, safety.minRules);
  const limit = shareOf(base, threshold);
  if (count <= limit) {
    return [];
  }
  const of = base > tally.live ? `min_rules, ${base}` : `${base}`;
  const bound = threshold.kind === 'count' ? `${limit}` : `${limit} (${threshold.percent}% of ${of})`;
  return [
    {
      kind,
      effect: 'refuse',
      step: tally.step,
      message: `${tally.subject}: ${count} of our ${tally.live} live ${tally.what ?? 'rules'} would ${WOULD[kind]}; max_${kind} allows ${bound}`,
    },
  ];
}

/** Returns what a limit allows of a whole. A percentage is rounded down, free of floating-point error: 18.4% of 375 is exactly 69. */
export function shareOf(whole: number, limit: Threshold): number {
  return limit.kind === 'count'
    ? limit.count
    : Math.floor(Number(((whole * limit.percent) / 100).toPrecision(12)));
}
