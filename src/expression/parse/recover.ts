import type { Condition } from '../language/ast.ts';
import { combinerAt } from './operator.ts';
import type { Reader } from './reader.ts';

/** Stands for a clause that failed while failures are collected; a tree that contains it is never returned. */
export const HOLE: Condition = {
  kind: 'bare',
  operand: {
    kind: 'operand',
    source: { kind: 'field', name: '', type: { kind: 'Bool' }, span: { start: 0, end: 0 } },
    indexes: [],
    type: { kind: 'Bool' },
    each: 0,
    span: { start: 0, end: 0 },
  },
  elementwise: false,
  span: { start: 0, end: 0 },
};

/** The maximum number of failures reported for one text: more would not help anyone. */
const MOST_FAILURES = 50;

/** Records the failure and moves past the clause that started at `start`; false when the parse must end. */
export function passClause(reader: Reader, start: number): boolean {
  const { failure, collected } = reader;
  if (failure === undefined || collected === undefined) {
    return false;
  }
  putAside(reader);
  if (failure.kind === 'NestingLimitExceeded' || collected.length >= MOST_FAILURES) {
    return false;
  }
  reader.position = clauseEnd(reader.bytes, { start, failedAt: failure.span.start });
  return true;
}

/** Records the failure, unless one is recorded at the same place. */
export function putAside(reader: Reader): void {
  const { failure, collected } = reader;
  if (failure !== undefined && collected !== undefined) {
    if (!collected.some((known) => known.span.start === failure.span.start)) {
      collected.push(failure);
    }
    reader.failure = undefined;
  }
}

/** Returns the position of the next joining operator or closing parenthesis that does not belong to the clause itself. */
export function clauseEnd(
  bytes: string,
  { start, failedAt }: { readonly start: number; readonly failedAt: number },
): number {
  let depth = 0;
  for (let position = start; position < bytes.length;) {
    const next = tokenEnd(bytes, position);
    const token = bytes.slice(position, Math.min(next, position + 4));
    if (position > start && position >= failedAt && depth <= 0 && endsClause(bytes, { position, token })) {
      return position;
    }
    if (token === '(' || token === '[' || token === '{') {
      depth += 1;
    } else if (token === ')' || token === ']' || token === '}') {
      depth -= 1;
    }
    position = next;
  }
  return bytes.length;
}

/** Returns the end of the string, word or single character at a position. */
function tokenEnd(bytes: string, position: number): number {
  if (bytes.charAt(position) === '"') {
    return quotedEnd(bytes, position + 1);
  }
  const raw = matchEnd(RAW_START, bytes, position);
  if (raw !== undefined) {
    const end = bytes.indexOf(`"${bytes.slice(position + 1, raw - 1)}`, raw);
    return end === -1 ? bytes.length : end + raw - position - 1;
  }
  return matchEnd(WORD, bytes, position) ?? position + 1;
}

const RAW_START = /r#{0,255}"/y;
const WORD = /[a-zA-Z0-9_.]+/y;

/** Returns where a sticky pattern that matches at a position ends. */
function matchEnd(pattern: RegExp, bytes: string, position: number): number | undefined {
  pattern.lastIndex = position;
  return pattern.test(bytes) ? pattern.lastIndex : undefined;
}

function quotedEnd(bytes: string, from: number): number {
  for (let position = from; position < bytes.length; position += 1) {
    const character = bytes.charAt(position);
    if (character === '"') {
      return position + 1;
    }
    position += character === '\\' ? 1 : 0;
  }
  return bytes.length;
}

function endsClause(
  bytes: string,
  { position, token }: { readonly position: number; readonly token: string },
): boolean {
  if (token === ')') {
    return true;
  }
  const found = combinerAt(bytes, position);
  return found !== undefined && (found.text === token || !/^[a-z]/u.test(token));
}
