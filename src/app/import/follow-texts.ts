import { followText, parseTemplate, valueAt, pathKey } from '../../config/index.ts';
import { roleAt } from '../../model/index.ts';
import type { ValuePath, YamlDocument } from '../../config/index.ts';
import { isJsonArray, isJsonObject } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';

/** A place in a file whose packs and variables are expanded. */
export interface ComposedPlace {
  readonly composed: YamlDocument;
  /** Where the value stands in the composed file. */
  readonly path: ValuePath;
}

/** Finds an item of a rule list in the composed file; undefined if the item does not appear there itself. */
export function composedItem(
  { composed, path }: ComposedPlace,
  document: YamlDocument,
  index: number,
): ComposedPlace | undefined {
  const grafts = composed.grafts?.get(pathKey(path));
  const own = pathKey([...path, index]);
  const at =
    grafts?.findIndex(
      (one) => one.via.length === 0 && one.document === document && pathKey(one.path) === own,
    ) ?? index;
  return at === -1 ? undefined : { composed, path: [...path, at] };
}

/**
 * Returns the new value for a file. Changed texts keep the file's spelling in their unchanged parts: variables and, in conditions,
 * line breaks.
 */
export function followTexts(
  written: JsonValue,
  wanted: JsonValue,
  { composed, path }: ComposedPlace,
  inside: ValuePath = [],
): JsonValue {
  if (typeof written === 'string' && typeof wanted === 'string') {
    return written === wanted
      ? wanted
      : (followedText(written, wanted, { composed, path }, inside) ?? wanted);
  }
  const member = (part: string | number, before: JsonValue | undefined, after: JsonValue): JsonValue =>
    before === undefined
      ? after
      : followTexts(before, after, { composed, path: [...path, part] }, [...inside, part]);
  if (isJsonArray(written) && isJsonArray(wanted)) {
    return written.length === wanted.length ? wanted.map((one, at) => member(at, written[at], one)) : wanted;
  }
  return isJsonObject(written) && isJsonObject(wanted)
    ? Object.fromEntries(Object.entries(wanted).map(([key, one]) => [key, member(key, written[key], one)]))
    : wanted;
}

function followedText(
  written: string,
  wanted: string,
  { composed, path }: ComposedPlace,
  inside: ValuePath,
): string | undefined {
  const filled = valueAt(composed.value, path);
  const pieces = composed.filled?.get(pathKey(path));
  const parts = parseTemplate(wanted);
  // A wanted text with a variable already names a sensitive variable whose value is live, and is taken as it is.
  if (typeof filled !== 'string' || pieces === 'broken' || parts.some(({ kind }) => kind !== 'text')) {
    return undefined;
  }
  const live = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const role = roleAt(inside);
  return followText({ written, filled, pieces, live, isCondition: role === 'filter' || role === 'counting' });
}
