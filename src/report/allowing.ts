/** Of a plan to be reviewed: what stops a plain `apply`, and that its review allows it (`apply --expect`). */
export function untilReviewed(kind = 'KIND'): string {
  return `Refused by apply without --allow ${kind}; merging this reviewed plan (apply --expect) allows it`;
}

/** Of a plan that a run was to carry out. */
export function untilAllowed(kind = 'KIND'): string {
  return `Refused until allowed with --allow ${kind}`;
}
