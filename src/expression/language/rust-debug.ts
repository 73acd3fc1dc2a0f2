import type { Type } from '../values/type.ts';
import { isCollection } from '../values/type.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\0', '\\0'],
]);

/** Characters that the engine's messages escape: control and unassigned characters, blanks other than the space, combining marks. */
const UNPRINTED = /[\p{C}\p{Zl}\p{Zp}\p{Grapheme_Extend}]|(?! )\p{Zs}/u;

/** Quotes a text as the engine's messages do: in double quotes, with escapes. */
export function debugText(text: string): string {
  let shown = '"';
  for (const character of text) {
    const escape = ESCAPES.get(character);
    if (escape !== undefined) {
      shown += escape;
    } else if (UNPRINTED.test(character)) {
      shown += `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    } else {
      shown += character;
    }
  }
  return `${shown}"`;
}

/**
 * Formats a type as the engine's UnsupportedOp and InvalidIndexAccess messages do (`rules-language.md` 3): the layers of a compound type
 * are bits, the outermost lowest, 0 for an array and 1 for a map; the layer named in front is not counted.
 */
export function debugType(type: Type): string {
  if (!isCollection(type)) {
    return type.kind;
  }
  let layers = 0;
  let length = 0;
  let inner = type.of;
  while (isCollection(inner)) {
    layers += inner.kind === 'Map' ? 2 ** length : 0;
    length += 1;
    inner = inner.of;
  }
  return `${type.kind}(CompoundType { layers: ${layers}, len: ${length}, primitive: ${inner.kind} })`;
}
