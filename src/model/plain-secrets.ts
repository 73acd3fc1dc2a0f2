import type { JsonObject, JsonValue } from './json.ts';
import { isJsonObject } from './json.ts';
import { referencesIn } from './sensitive.ts';

/** Where a rule says in clear what looks like a secret. */
export interface PlainSecret {
  /** Keys on the way from the rule to the value. */
  readonly path: readonly string[];
  /** The header that carries it. */
  readonly header: string;
}

/** Headers that say who asks, whatever they are called. */
const SECRET_HEADER =
  /auth|token|secret|passw|credential|signature|api-?key|access-?key|(?:^|-)key(?:-|$)|cookie/i;

/** What is shorter could not be a sensitive variable, and is rather a word such as `none`. */
const SHORTEST = 8;

/** A header that an expression compares, and the first fixed text behind the operator. */
const COMPARED =
  /http\.request\.headers\["(?<header>[^"]{1,100})"\][^"]{0,40}\s(?:eq|==|ne|!=|in)\s*(?:\{\s*)?r?#*"(?<text>[^"]*)"/g;

/**
 * The secrets that a rule shares with the origin or its callers, as far as names tell: headers that requests are given, and those that they
 * are asked for. Headers of responses are for everybody.
 */
export function plainSecrets(
  phase: string,
  { expression, action_parameters: parameters }: JsonObject,
): readonly PlainSecret[] {
  const headers =
    isJsonObject(parameters) && phase === 'http_request_late_transform' ? parameters['headers'] : undefined;
  return [
    ...(isJsonObject(headers) ? Object.entries(headers) : []).flatMap(([header, said]) =>
      isJsonObject(said) && isSecret(header, said['value'])
        ? [{ path: ['action_parameters', 'headers', header, 'value'], header }]
        : [],
    ),
    ...comparedIn(expression).flatMap(({ header = '', text }) =>
      isSecret(header, text) ? [{ path: ['expression'], header }] : [],
    ),
  ];
}

function comparedIn(
  expression: JsonValue | undefined,
): readonly { readonly header?: string; readonly text?: string }[] {
  return typeof expression === 'string'
    ? [...expression.matchAll(COMPARED)].map(({ groups = {} }) => groups)
    : [];
}

function isSecret(header: string, value: JsonValue | undefined): boolean {
  return (
    SECRET_HEADER.test(header) &&
    typeof value === 'string' &&
    value.length >= SHORTEST &&
    !value.includes('${') &&
    referencesIn(value).length === 0
  );
}
