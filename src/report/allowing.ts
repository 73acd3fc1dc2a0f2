import type { GuardFinding } from '../model/plan.ts';

/** Of a plan to be reviewed: what stops a plain `apply`, and that its review allows it (`apply --expect`). */
export function untilReviewed(kind = 'KIND'): string {
  return `Refused by apply without --allow ${kind}; merging this reviewed plan (apply --expect) allows it`;
}

/** Of a plan that a run was to carry out. */
export function untilAllowed(kind = 'KIND'): string {
  return `Refused until allowed with --allow ${kind}`;
}

/** The line of a run that guards refused; its findings are shown already. */
export function refusedBy(findings: readonly Pick<GuardFinding, 'kind'>[]): string {
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const names = kinds.map((kind) => `\`${kind}\``).join(', ');
  const allow = kinds.map((kind) => `--allow ${kind}`).join(' ');
  const guards = kinds.length === 1 ? 'guard' : 'guards';
  return `Refused by the ${guards} ${names} (see above). Nothing was written. To allow it for this run: ${allow}\n`;
}
