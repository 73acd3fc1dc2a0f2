import { assertNever } from '../../model/assert-never.ts';
import type { Protection } from '../../model/change.ts';

/** What a difference does to protection. Anything not proven neutral or stronger counts as weaker, so `weaker` also stands for "no proof". */
export type Verdict =
  | { readonly kind: 'weaker' | 'stronger'; readonly reason: string }
  | { readonly kind: 'same' };

/** The verdict on a difference that does not affect protection. */
export const SAME: Verdict = { kind: 'same' };

/** Less protection, or no proof that it is not less; `reason` continues the sentence after the rule's name: `removes block`. */
export function weaker(reason: string): Verdict {
  return { kind: 'weaker', reason };
}

/** At least as much protection, in a way worth reporting; `reason` as in `weaker`. */
export function stronger(reason: string): Verdict {
  return { kind: 'stronger', reason };
}

/** The most reasons in one verdict: overrides can weaken hundreds of managed rules at once. */
const MOST_REASONS = 4;

/** Combines the verdicts on several differences. Weakenings outweigh everything else, and all of them are reported, up to `MOST_REASONS`. */
export function together(verdicts: readonly Verdict[]): Verdict {
  if (!verdicts.some(({ kind }) => kind === 'weaker')) {
    return verdicts.find(({ kind }) => kind === 'stronger') ?? SAME;
  }
  const reasons = [
    ...new Set(verdicts.flatMap((verdict) => (verdict.kind === 'weaker' ? [verdict.reason] : []))),
  ];
  const more = reasons.length - MOST_REASONS;
  return weaker([...reasons.slice(0, MOST_REASONS), ...(more > 0 ? [`${more} more`] : [])].join('; '));
}

/** Compares numbers of which the higher protects more. */
export function byHeight(before: number, after: number, what: string): Verdict {
  if (before === after) {
    return SAME;
  }
  return after > before ? stronger(`raises ${what}`) : weaker(`lowers ${what}`);
}

/** Compares numbers of which the lower protects more. */
export function byDepth(before: number, after: number, what: string): Verdict {
  if (before === after) {
    return SAME;
  }
  return after < before ? stronger(`lowers ${what}`) : weaker(`raises ${what}`);
}

/** Converts a verdict to the form used in changes. */
export function protectionOf(verdict: Verdict): Protection {
  switch (verdict.kind) {
    case 'weaker':
      return { kind: 'weakening', reason: verdict.reason };
    case 'stronger':
      return { kind: 'strengthening', reason: verdict.reason };
    case 'same':
      return { kind: 'neutral' };
    default:
      return assertNever(verdict);
  }
}
