import { assertNever } from '../../model/assert-never.ts';
import type { Protection } from '../../model/change.ts';

/**
 * What a difference does to protection. What is not proven to be neutral or stronger counts as weaker,
 * so `weaker` also says "no proof".
 */
export type Verdict =
  | { readonly kind: 'weaker' | 'stronger'; readonly reason: string }
  | { readonly kind: 'same' };

/** Nothing that matters for protection. */
export const SAME: Verdict = { kind: 'same' };

/** Less protection, or no proof that it is not less; `reason` goes on from the name of the rule: `removes block`. */
export function weaker(reason: string): Verdict {
  return { kind: 'weaker', reason };
}

/** At least as much protection, in a way worth saying. */
export function stronger(reason: string): Verdict {
  return { kind: 'stronger', reason };
}

/** The most reasons that one verdict tells: overrides can weaken hundreds of managed rules at once. */
const MOST_REASONS = 4;

/** The verdict of several differences together. Weakenings outweigh all else, and no one hides behind another. */
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

/** A number that protects more the higher it is. */
export function byHeight(before: number, after: number, what: string): Verdict {
  if (before === after) {
    return SAME;
  }
  return after > before ? stronger(`raises ${what}`) : weaker(`lowers ${what}`);
}

/** A number that protects more the lower it is. */
export function byDepth(before: number, after: number, what: string): Verdict {
  if (before === after) {
    return SAME;
  }
  return after < before ? stronger(`lowers ${what}`) : weaker(`raises ${what}`);
}

/** A verdict as a change carries it. */
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
