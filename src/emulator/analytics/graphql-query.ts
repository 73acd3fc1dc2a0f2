import { refuse } from '../protocol/refusal.ts';

/** A field that a query asks for, with its arguments, and the fields below it. */
export interface AskedField {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly fields: readonly AskedField[];
}

const TOKEN = /[\s,]+|#[^\n]*|([!$():=@[\]{|}]|[_A-Za-z]\w*|-?\d+(?:\.\d+)?|"(?:[^"\\\n]|\\.)*")/gy;

/** The deepest nesting of a query. */
const DEEPEST = 20;

/**
 * Reads a GraphQL query with its variables: one operation, fields with arguments. Fragments, directives and aliases are refused, since no client of
 * the analytics needs them.
 */
export function readQuery(text: string, variables: Readonly<Record<string, unknown>>): readonly AskedField[] {
  const tokens = tokensOf(text);
  let at = 0;
  const next = (): string => {
    const token = tokens[at];
    at += 1;
    return token ?? fail('the query ends too early');
  };
  const expect = (wanted: string): void => {
    const token = next();
    if (token !== wanted) {
      fail(`expected ${wanted}, found ${token}`);
    }
  };
  const until = <Item>(end: string, read: () => Item): readonly Item[] => {
    const items: Item[] = [];
    while (tokens[at] !== end) {
      items.push(read());
    }
    expect(end);
    return items;
  };
  const pair = (): readonly [string, unknown] => {
    const name = next();
    expect(':');
    return [name, value()];
  };
  const value = (): unknown => {
    const token = next();
    switch (token) {
      case '$': {
        return variables[next()];
      }
      case '[':
        return until(']', value);
      case '{':
        return Object.fromEntries(until('}', pair));
      case 'true':
      case 'false':
        return token === 'true';
      default:
        return /^["\d-]/u.test(token) ? JSON.parse(token) : token;
    }
  };
  const field = (depth: number): AskedField => {
    const name = next();
    if (!/^\w+$/u.test(name) || depth > DEEPEST) {
      fail(`unexpected ${name}`);
    }
    const given = tokens[at] === '(';
    at += given ? 1 : 0;
    const args = given ? Object.fromEntries(until(')', pair)) : {};
    const nested = tokens[at] === '{';
    at += nested ? 1 : 0;
    return { name, args, fields: nested ? until('}', () => field(depth + 1)) : [] };
  };
  if (tokens[at] === 'query') {
    while (tokens[at] !== '{' && at < tokens.length) {
      at += 1;
    }
  }
  expect('{');
  const fields = until('}', () => field(1));
  return at < tokens.length ? fail('there is more than one operation') : fields;
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    if (match[1] !== undefined) {
      tokens.push(match[1]);
    }
  }
  return end < text.length ? fail(`unexpected ${text.slice(end, end + 1)}`) : tokens;
}

function fail(message: string): never {
  throw refuse(200, `error parsing the query: ${message}`);
}
