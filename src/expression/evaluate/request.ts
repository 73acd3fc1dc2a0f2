import { CATALOGUE, schemeOf } from '../catalogue.ts';
import type { Scheme } from '../scheme.ts';
import { BOOL, parseType } from '../type.ts';
import type { Type } from '../type.ts';

/** One line that another tool asks: an expression, its grammar, and the scheme it is read with. */
interface ExpressionRequest {
  readonly expression: string;
  readonly mode: 'filter' | 'value';
  readonly scheme: Scheme;
  /** The whole object, for what only some commands read. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The request, or everything that is wrong with it. */
export type RequestResult =
  | { readonly ok: true; readonly request: ExpressionRequest }
  | { readonly ok: false; readonly message: string };

/**
 * Reads one line of JSON: `{"expr", "mode"?: "filter" | "value", "scheme"?: {field: type}, …}`. Without `scheme` the catalogue is used;
 * with one, `true` and `false` are added, which the service has in every scheme (rules-language.md 3).
 */
export function readRequest(line: string): RequestResult {
  const json = parseJson(line);
  if (!isObject(json)) {
    return { ok: false, message: 'expected a JSON object on each line' };
  }
  const { expr, mode = 'filter', scheme } = json;
  const read = scheme === undefined ? { scheme: CATALOGUE, problems: [] } : readScheme(scheme);
  const problems = [...read.problems];
  if (typeof expr !== 'string') {
    problems.unshift('expr: expected a text');
  }
  if (mode !== 'filter' && mode !== 'value') {
    problems.unshift('mode: expected "filter" or "value"');
  }
  if (problems.length > 0 || typeof expr !== 'string' || (mode !== 'filter' && mode !== 'value')) {
    return { ok: false, message: problems.join('; ') };
  }
  return { ok: true, request: { expression: expr, mode, scheme: read.scheme, fields: json } };
}

function readScheme(json: unknown): { readonly scheme: Scheme; readonly problems: readonly string[] } {
  if (!isObject(json)) {
    return { scheme: CATALOGUE, problems: ['scheme: expected an object of fields and their types'] };
  }
  const problems: string[] = [];
  const fields: [string, Type][] = [
    ['true', BOOL],
    ['false', BOOL],
  ];
  for (const [name, written] of Object.entries(json)) {
    const type = typeof written === 'string' ? parseType(written) : undefined;
    if (type === undefined) {
      problems.push(`scheme.${name}: expected a type such as Bytes or Map<Array<Bytes>>`);
    } else {
      fields.push([name, type]);
    }
  }
  return { scheme: schemeOf(fields), problems };
}

function parseJson(line: string): unknown {
  try {
    const json: unknown = JSON.parse(line);
    return json;
  } catch {
    return undefined;
  }
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
