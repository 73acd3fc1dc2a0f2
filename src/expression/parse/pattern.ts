import type { RegexLiteral, WildcardLiteral } from '../language/ast.ts';
import { regexProblem } from '../regex/check.ts';
import { parseWildcard } from '../values/wildcard.ts';
import { at, expectedName, fail, spanFrom } from './reader.ts';
import type { Reader } from './reader.ts';
import { missingQuote, readRaw, readString, unexpectedEnd } from './text.ts';

/** Reads a regular expression: quoted (with an escaping of its own) or raw (1.3). */
export function readRegex(reader: Reader): RegexLiteral | undefined {
  const start = reader.position;
  if (start >= reader.bytes.length) {
    return unexpectedEnd(reader);
  }
  const form = at(reader, '"') ? 'quoted' : 'raw';
  if (form === 'raw' && !at(reader, 'r')) {
    return expectedName(reader, '" or r');
  }
  const pattern = form === 'quoted' ? readQuotedPattern(reader) : readRaw(reader);
  if (pattern === undefined) {
    return undefined;
  }
  const message = regexProblem(pattern, reader.settings.regexSize);
  if (message !== undefined) {
    // The engine points at the pattern between the quotes, but at what follows a raw literal.
    const span =
      form === 'quoted' ? { start: start + 1, end: reader.position - 1 } : { start: reader.position };
    return fail(reader, { kind: 'ParseRegex', message, ...span });
  }
  const text = reader.bytes.slice(start, reader.position);
  return { kind: 'regex', pattern, form, text, span: spanFrom(reader, start) };
}

/** Reads a wildcard pattern: quoted or raw. An invalid pattern is reported over the literal with its quotes. */
export function readWildcard(reader: Reader): WildcardLiteral | undefined {
  const string = readString(reader);
  if (string === undefined) {
    return undefined;
  }
  const parsed = parseWildcard(string.value, reader.settings.wildcardStars);
  if (!parsed.ok) {
    return fail(reader, { kind: 'ParseWildcard', message: parsed.message, start: string.span.start });
  }
  const { text, span } = string;
  return {
    kind: 'wildcard-pattern',
    pattern: string.value,
    form: string.form === 'raw' ? 'raw' : 'quoted',
    text,
    span,
  };
}

/**
 * Reads the pattern of a quoted literal: outside a class `\"` gives `"` and any other `\c` stays; inside a class a quote does not end the
 * literal, and `\"` keeps its backslash. A `[` inside a class does not nest for this scan.
 */
function readQuotedPattern(reader: Reader): string | undefined {
  const { bytes } = reader;
  const start = reader.position + 1;
  let inClass = false;
  let pattern = '';
  let kept = start;
  for (let position = start; position < bytes.length; position += 1) {
    const character = bytes.charAt(position);
    if (character === '\\') {
      if (!inClass && bytes.charAt(position + 1) === '"') {
        pattern += bytes.slice(kept, position);
        kept = position + 1;
      }
      position += 1;
    } else if (character === '"' && !inClass) {
      reader.position = position + 1;
      return pattern + bytes.slice(kept, position);
    } else if (character === '[') {
      inClass = true;
    } else if (character === ']') {
      inClass = false;
    }
  }
  return missingQuote(reader, start);
}
