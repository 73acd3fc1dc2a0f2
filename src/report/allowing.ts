import type { FinalKind, GuardFinding } from '../model/guard.ts';
import { isAllowable } from '../model/guard.ts';

/** Of a plan to be reviewed: what stops a plain `apply`, and that its review allows it (`apply --expect`). */
export function untilReviewed(kind = 'KIND'): string {
  return `Blocked: needs --allow ${kind}, or merging this reviewed plan (apply --expect)`;
}

/** Of a plan that a run was to carry out. */
export function untilAllowed(kind = 'KIND'): string {
  return `Refused until allowed with --allow ${kind}`;
}

/** Of what nothing lets pass: its message says what to do instead. */
export const NEVER = 'Refused by apply, and nothing allows it';

/** What to do about findings that nothing allows. */
const INSTEAD: Readonly<Record<FinalKind, string>> = {
  referenced: 'take the rules away first that name what is deleted',
  migration: 'migrate the zone first, or leave its managed rules out with --target',
  account: 'take the token of an account that `safety.accounts` names, or name this one there',
};

/** That guards refused a run, and how to allow it. */
export interface GuardRefusal {
  readonly message: string;
  readonly hint: string;
}

/** Which guards refused a run, and the flags that allow it. */
export function guardRefusal(findings: readonly Pick<GuardFinding, 'kind'>[]): GuardRefusal {
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const names = kinds.map((kind) => `\`${kind}\``).join(', ');
  const allowing = kinds.filter(isAllowable);
  const hints = [
    ...(allowing.length === 0 ? [] : [`To allow it for this run: --allow ${allowing.join(',')}`]),
    ...kinds.flatMap((kind) => (isAllowable(kind) ? [] : [`Nothing allows \`${kind}\`: ${INSTEAD[kind]}`])),
  ];
  const guards = kinds.length === 1 ? 'guard' : 'guards';
  return {
    message: `Refused by the ${guards} ${names} (see above). Nothing was written.`,
    hint: hints.join('. '),
  };
}

/** What a run says that guards refused; its findings are shown already. */
export function refusedBy(findings: readonly Pick<GuardFinding, 'kind'>[]): string {
  const { message, hint } = guardRefusal(findings);
  return `${message}\n${hint}\n`;
}
