import type { FinalKind, GuardFinding } from '../model/index.ts';
import { isAllowable } from '../model/index.ts';

/**
 * Returns the note about a refused finding in a plan under review: it stops a plain `apply`, and merging the reviewed plan allows it
 * (`apply --expect`).
 */
export function untilReviewed(kinds: string): string {
  return `Blocked: needs --allow ${kinds}, or merging this reviewed plan (apply --expect)`;
}

/** Returns the note about a refused finding in a plan that a run was to apply. */
export function untilAllowed(kinds: string): string {
  return `Refused until allowed with --allow ${kinds}`;
}

/** The note about a finding that nothing allows; its message says what to do instead. */
export const NEVER = 'Refused by apply, and nothing allows it';

/** What to do about findings that nothing allows. */
const INSTEAD: Readonly<Record<FinalKind, string>> = {
  referenced: 'first remove the rules that name what is to be deleted',
  migration: 'migrate the zone first, or leave its managed rules out with --target',
  account: 'use the token of an account that `safety.accounts` names, or name this one there',
};

/** The message that guards refused a run, and how to allow it. */
export interface GuardRefusal {
  readonly message: string;
  readonly hint: string;
}

/** Returns which guards refused a run, and the flags that allow it: the rerun needs the kinds that this run `allowed`, too. */
export function guardRefusal(
  findings: readonly Pick<GuardFinding, 'kind'>[],
  allowed: readonly string[] = [],
): GuardRefusal {
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const names = kinds.map((kind) => `\`${kind}\``).join(', ');
  const allowing = kinds.filter(isAllowable);
  const hints = [
    ...(allowing.length === 0
      ? []
      : [`To allow it for this run: --allow ${[...allowed, ...allowing].join(',')}`]),
    ...kinds.flatMap((kind) => (isAllowable(kind) ? [] : [`Nothing allows \`${kind}\`: ${INSTEAD[kind]}`])),
  ];
  const guards = kinds.length === 1 ? 'guard' : 'guards';
  return {
    message: `Refused by the ${guards} ${names} (see above). Nothing was written.`,
    hint: hints.join('. '),
  };
}

/** Returns the message of a run that guards refused; its findings are already shown. */
export function refusedBy(
  findings: readonly Pick<GuardFinding, 'kind'>[],
  allowed: readonly string[],
): string {
  const { message, hint } = guardRefusal(findings, allowed);
  return `${message}\n${hint}\n`;
}
