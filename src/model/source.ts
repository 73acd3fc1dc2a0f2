/** A place in a text: line and column count from 1, columns in UTF-16 units as editors do. */
export interface SourcePoint {
  readonly line: number;
  readonly column: number;
}

/** A span of a file; `end` is the first point after it. */
export interface SourceSpan {
  /** Path relative to the project folder, with `/`. */
  readonly file: string;
  readonly start: SourcePoint;
  readonly end: SourcePoint;
  /** For a place in a pack: where the pack was used, outermost last. */
  readonly via?: readonly SourceSpan[];
}

/** Where something in a plan comes from: a place in a file or, in a rollback or reversal, a version of the ruleset. */
export type Cause = FileCause | VersionCause;

/** A place in a file. */
export interface FileCause {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** For a rule of a pack: where the pack was used, outermost last. */
  readonly via?: readonly FileCause[];
}

/** A version of a ruleset, or one rule of that version. */
export interface VersionCause {
  readonly version: string;
  /** Place of the rule in that version, from 1. */
  readonly rule?: number;
}

/** Whether a place is a version of a ruleset rather than a place in a file. */
export function isVersion(place: SourceSpan | Cause): place is VersionCause {
  return 'version' in place;
}

/** Returns where a span begins. */
export function startOf({ file, start, via = [] }: SourceSpan): FileCause {
  return { file, ...start, ...(via.length === 0 ? {} : { via: via.map(startOf) }) };
}

/** Returns the place of a cause as a span without length. */
export function spanFrom({ file, line, column, via }: FileCause): SourceSpan {
  const start = { line, column };
  return { file, start, end: start, ...(via === undefined ? {} : { via: via.map(spanFrom) }) };
}

/** Formats a cause or the start of a span as `file:line:column`; within a pack, also with where the pack was used: `… via file:line:column`. */
export function formatPlace(place: SourceSpan | Cause): string {
  return isVersion(place)
    ? versionText(place)
    : [place, ...(place.via ?? [])].map((one) => formatPoint(one)).join(' via ');
}

/** Formats a cause by line only, for people: `packs/bots.yaml:7 via zones/shop.yaml:12`. */
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
