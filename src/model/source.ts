/** A place in a text: line and column count from 1, columns in UTF-16 units as editors do. */
export interface SourcePoint {
  readonly line: number;
  readonly column: number;
}

/** A stretch of a file; `end` is the first point behind it. */
export interface SourceSpan {
  /** Path relative to the project folder, with `/`. */
  readonly file: string;
  readonly start: SourcePoint;
  readonly end: SourcePoint;
  /** For a place in a pack: where the pack was used, outermost last. */
  readonly via?: readonly SourceSpan[];
}

/** Where something in a plan comes from: a place in a file, or in a way back a version of the ruleset. */
export type Cause = FileCause | VersionCause;

/** A place in a file. */
export interface FileCause {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** For a rule of a pack: where the pack was used, outermost last. */
  readonly via?: readonly FileCause[];
}

/** A ruleset as it was at a version, or one rule of it. */
export interface VersionCause {
  readonly version: string;
  /** Place of the rule in that version, from 1. */
  readonly rule?: number;
}

/** Whether something comes from a version of its ruleset, not from a file. */
export function isVersion(place: SourceSpan | Cause): place is VersionCause {
  return 'version' in place;
}

/** Where a stretch begins. */
export function startOf({ file, start, via = [] }: SourceSpan): FileCause {
  return { file, ...start, ...(via.length === 0 ? {} : { via: via.map(startOf) }) };
}

/** `file:line:column` of a cause or the start of a span; in a pack also where that was used: `… via file:line:column`. */
export function formatPlace(place: SourceSpan | Cause): string {
  return isVersion(place)
    ? versionText(place)
    : [place, ...(place.via ?? [])].map((one) => formatPoint(one)).join(' via ');
}

/** As `formatPlace`, for people who look for a line: `packs/bots.yaml:7 via zones/shop.yaml:12`. */
export function causeText(cause: Cause): string {
  return isVersion(cause)
    ? versionText(cause)
    : [cause, ...(cause.via ?? [])].map(({ file, line }) => `${file}:${line}`).join(' via ');
}

/** `version 4`, or `version 4, rule 1`. */
function versionText({ version, rule }: VersionCause): string {
  return rule === undefined ? `version ${version}` : `version ${version}, rule ${rule}`;
}

function formatPoint(place: SourceSpan | FileCause): string {
  const point = 'start' in place ? place.start : place;
  return `${place.file}:${point.line}:${point.column}`;
}
