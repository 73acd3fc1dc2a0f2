import type { GuardFinding } from '../model/plan.ts';

/** Of a plan to be reviewed: what stops a plain `apply`, and that its review allows it (`apply --expect`). */
export function untilReviewed(kind = 'KIND'): string {
  return `Refused by apply without --allow ${kind}; merging this reviewed plan (apply --expect) allows it`;
}

/** Of a plan that a run was to carry out. */
export function untilAllowed(kind = 'KIND'): string {
  return `Refused until allowed with --allow ${kind}`;
}

/** That guards refused a run, and how to allow it. */
export interface GuardRefusal {
  readonly message: string;
  readonly hint: string;
}

/** Which guards refused a run, and the flags that allow it. */
export function guardRefusal(findings: readonly Pick<GuardFinding, 'kind'>[]): GuardRefusal {
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const names = kinds.map((kind) => `\`${kind}\``).join(', ');
  const allowing = kinds.filter((kind) => kind !== 'referenced').map((kind) => `--allow ${kind}`);
  const hints = [
    ...(allowing.length === 0 ? [] : [`To allow it for this run: ${allowing.join(' ')}`]),
    // The guard only says before the first write what the service would say.
    ...(kinds.includes('referenced')
      ? ['Take the rules away first that name what is deleted: the service refuses it, whatever is allowed']
      : []),
  ];
  const guards = kinds.length === 1 ? 'guard' : 'guards';
  return {
    message: `Refused by the ${guards} ${names} (see above). Nothing was written.`,
    hint: hints.join('. '),
  };
}

/** The line of a run that guards refused; its findings are shown already. */
export function refusedBy(findings: readonly Pick<GuardFinding, 'kind'>[]): string {
  const { message, hint } = guardRefusal(findings);
  return `${message} ${hint}\n`;
}
