import { isJsonArray, isJsonObject } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import { causeText, formatPlace, isVersion } from '../model/index.ts';
import type { Cause, FileCause, SourceSpan } from '../model/index.ts';
import { secondInUtc } from '../text/index.ts';
import type { Inline, StyledSpan } from './tree.ts';

/** Matches text that reads the same with and without quotes inside a list or an object. */
const PLAIN = /^\w[\w.:/@*-]*$/;

/** Matches text that would not read as text without quotes. */
const MISLEADING = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i;

/** Formats a value that stands alone: text is quoted only if that makes a difference. */
export function loneValue(value: JsonValue): string {
  return typeof value === 'string' && value !== '' && value.trim() === value && !MISLEADING.test(value)
    ? value
    : inlineValue(value);
}

/** Formats a JSON value on one line, as a person would write it in YAML flow style. */
export function inlineValue(value: JsonValue): string {
  if (typeof value === 'string') {
    return PLAIN.test(value) && !MISLEADING.test(value) ? value : JSON.stringify(value);
  }
  if (isJsonArray(value)) {
    return `[${value.map(inlineValue).join(', ')}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${inlineValue(key)}: ${inlineValue(member)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return String(value);
}

/** A scalar, a list or an empty object inside a value, with its path. */
export interface ValueLeaf {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** Returns the leaves inside a value, down to scalars and lists; the value itself when it is one. */
export function leavesOf(value: JsonValue, path: readonly string[] = []): readonly ValueLeaf[] {
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
  }
  return [{ path, value }];
}

/** Whether a field contains an expression, whose blanks say nothing. */
export function isExpression(label: string, value: JsonValue): value is string {
  return typeof value === 'string' && label.endsWith('expression');
}

/**
 * Formats a moment for people: to the second, in UTC. The service gives microseconds, which nobody needs; a text that is not an RFC 3339
 * time stays as it is.
 */
export function momentText(moment: string): string {
  const time = RFC_3339.test(moment) ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(time) ? moment : secondInUtc(time);
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Returns where something comes from, with links: a place in a file and where that is used, or a version. */
export function causeSpans(cause: Cause): Inline {
  if (isVersion(cause)) {
    return [{ text: causeText(cause), style: 'dim' }];
  }
  return [cause, ...(cause.via ?? [])].flatMap((place, index) => [
    ...(index === 0 ? [] : [' via ']),
    lineSpan(place),
  ]);
}

function lineSpan({ file, line }: Pick<FileCause, 'file' | 'line'>): StyledSpan {
  return { text: `${file}:${line}`, style: 'dim', to: { kind: 'file', file, line } };
}

/** Returns a place in a file with its column, as editors know it. */
export function placeSpan(where: SourceSpan, style: 'strong' | 'dim'): StyledSpan {
  const { file, start } = where;
  return { text: formatPlace({ ...where, via: [] }), style, to: { kind: 'file', file, line: start.line } };
}
