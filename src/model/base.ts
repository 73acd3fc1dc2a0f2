/** The live state that a step was planned from; apply refuses the step when live has changed since. */
export type Base =
  | { readonly kind: 'version'; readonly id: string; readonly version: string; readonly lastUpdated: string }
  | { readonly kind: 'absent' };

/** The fields of a live ruleset that identify its version. */
interface AtVersion {
  readonly id: string;
  readonly version: string;
  readonly lastUpdated: string;
}

/** Whether a live ruleset (null: there is none) is still at the version that a step was planned from. */
export function isAtBase(live: AtVersion | null, base: Base): boolean {
  if (base.kind !== 'version') {
    return live === null;
  }
  return (
    live !== null &&
    live.id === base.id &&
    live.version === base.version &&
    live.lastUpdated === base.lastUpdated
  );
}
