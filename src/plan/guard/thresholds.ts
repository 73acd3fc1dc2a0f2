import type { GuardFinding } from '../../model/plan.ts';
import type { Safety, Threshold } from '../../model/settings.ts';

/** How many rules there are, and how many of them go or change, in a ruleset, a scope or a run. */
export interface Tally {
  /** What is counted, in words: `zone:shop.example/http_ratelimit`, `the scope`, `the run`. */
  readonly subject: string;
  readonly step?: string;
  readonly live: number;
  readonly deleted: number;
  readonly changed: number;
}

/** Findings where more goes or changes than the settings allow. Percentages count from `minRules` on. */
export function checkThresholds(tally: Tally, safety: Safety): readonly GuardFinding[] {
  return [
    ...exceeded(tally, { kind: 'deleted', count: tally.deleted, threshold: safety.maxDeleted, safety }),
    ...exceeded(tally, { kind: 'changed', count: tally.changed, threshold: safety.maxChanged, safety }),
  ];
}

interface Measure {
  readonly kind: 'deleted' | 'changed';
  readonly count: number;
  readonly threshold: Threshold;
  readonly safety: Safety;
}

function exceeded(tally: Tally, { kind, count, threshold, safety }: Measure): readonly GuardFinding[] {
  const limit =
    threshold.kind === 'count'
      ? threshold.count
      : tally.live < safety.minRules
        ? tally.live
        : share(tally.live, threshold.percent);
  if (count <= limit) {
    return [];
  }
  const bound =
    threshold.kind === 'count' ? `${limit}` : `${threshold.percent}% of ${tally.live}, that is ${limit}`;
  return [
    {
      kind,
      effect: 'refuse',
      ...(tally.step === undefined ? {} : { step: tally.step }),
      message: `${count} of ${tally.live} live rules ${kind === 'deleted' ? 'would be deleted' : 'would change'} in ${tally.subject}; at most ${bound} may be. Allow it for one run with --allow ${kind}`,
    },
  ];
}

/** A share in whole rules, rounded down: as on paper, where 18.4% of 375 are 69 and not a trace less. */
function share(live: number, percent: number): number {
  return Math.floor(Number(((live * percent) / 100).toPrecision(12)));
}
