import { assertNever } from '../../model/assert-never.ts';
import type { Protection } from '../../model/change.ts';

/** What a difference does to protection. Anything not proven neutral or stronger counts as weaker, so `weaker` also stands for "no proof". */
export type Verdict =
  | { readonly kind: 'weaker'; readonly reason: string; readonly isProven: boolean }
  | { readonly kind: 'stronger'; readonly reason: string }
  | { readonly kind: 'same' };

/** The verdict on a difference that does not affect protection. */
export const SAME: Verdict = { kind: 'same' };

/** Less protection; `reason` continues the sentence after the rule's name: `removes block`. */
export function weaker(reason: string): Verdict {
  return { kind: 'weaker', reason, isProven: true };
}

/** No proof that protection is not less: guards take it for less, and reports show it after what is known. `reason` as in `weaker`. */
export function unproven(reason: string): Verdict {
  return { kind: 'weaker', reason, isProven: false };
}

/** At least as much protection, in a way worth reporting; `reason` as in `weaker`. */
export function stronger(reason: string): Verdict {
  return { kind: 'stronger', reason };
}

/** The most reasons in one verdict: overrides can weaken hundreds of managed rules at once. */
const MOST_REASONS = 4;

/**
 * Combines the verdicts on several differences. Weakenings outweigh everything else, and all of them are reported, up to `MOST_REASONS`: those
 * that are known before those that are not proven.
 */
export function together(verdicts: readonly Verdict[]): Verdict {
  if (!verdicts.some(({ kind }) => kind === 'weaker')) {
    return verdicts.find(({ kind }) => kind === 'stronger') ?? SAME;
  }
  const reasonsOf = (isProven: boolean): readonly string[] =>
    verdicts.flatMap((verdict) =>
      verdict.kind === 'weaker' && verdict.isProven === isProven ? [verdict.reason] : [],
    );
  const known = reasonsOf(true);
  const reasons = [...new Set([...known, ...reasonsOf(false)])];
  const more = reasons.length - MOST_REASONS;
  const reason = [...reasons.slice(0, MOST_REASONS), ...(more > 0 ? [`${more} more`] : [])].join('; ');
  return known.length > 0 ? weaker(reason) : unproven(reason);
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
      return {
        kind: 'weakening',
        reason: verdict.reason,
        ...(verdict.isProven ? {} : { proven: false }),
      };
    case 'stronger':
      return { kind: 'strengthening', reason: verdict.reason };
    case 'same':
      return { kind: 'neutral' };
    default:
      return assertNever(verdict);
  }
}
