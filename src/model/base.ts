/** What a step was made from; apply refuses when it moved. */
export type Base =
  | { readonly kind: 'version'; readonly id: string; readonly version: string; readonly lastUpdated: string }
  | { readonly kind: 'absent' };

/** A ruleset, as far as it tells whether it is the base of a step. */
interface AtVersion {
  readonly id: string;
  readonly version: string;
  readonly lastUpdated: string;
}

/** Whether a ruleset (null: there is none) still is what a step was made from. */
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
