import type { JsonObject, JsonValue } from './json.ts';
import { isJsonArray, isJsonObject } from './json.ts';
import { isLikeRandom, shapedSecrets } from './secret-shapes.ts';
import { referencesIn } from './sensitive.ts';

/** What a rule says in clear and looks like a secret. */
export interface PlainSecret {
  /** Keys on the way from the rule to the text that has it. */
  readonly path: readonly (string | number)[];
  /** What holds it, such as the name of a header, or what it is. */
  readonly name: string;
  /** The same as the beginning of a sentence. */
  readonly what: string;
  /** The secrets themselves. */
  readonly texts: readonly string[];
}

/** Headers, cookies and parameters that say who asks, whatever they are called. */
const SECRET_NAME =
  /auth(?!ors?(?:[-_]|$)|orit)|token|secret|passw|passphrase|credential|signature|session|api-?_?key|access-?_?key|(?:^|[-_])(?:key|jwt|bearer|sid)(?:[-_]|$)|cookie/i;

/** What is shorter could not be a sensitive variable, and is rather a word such as `none`. */
const SHORTEST = 8;

/** The name of a host says where a request goes, whatever holds it. */
const HOST_NAME = /^(?:[a-z\d-]{1,63}\.)+[a-z]{2,24}$/i;

/** What a request brings along that an expression can compare. */
const HOLDERS: ReadonlyMap<string, string> = new Map([
  ['headers', 'header'],
  ['cookies', 'cookie'],
  ['uri.args', 'parameter'],
  ['body.form', 'parameter'],
]);

/** A part of a request that is compared, and one fixed text behind the operator, or a list of them. */
const COMPARED =
  /http\.request\.(?<holder>headers|cookies|uri\.args|body\.form)\["(?<name>[^"]{1,100})"\][^"]{0,40}\s(?:eq|==|ne|!=|in)\s*(?<texts>\{[^}]*\}|r#+"[^]*?"#+|r?"(?:[^"\\]|\\.)*")/g;

/** A fixed text, as it stands between its quotation marks; what stands in brackets is a name. */
const LITERAL = /\[\s*"[^"]*"\s*\]|r(?<marks>#+)"(?<raw>[^]*?)"\k<marks>|"(?<text>(?:[^"\\]|\\.)*)"/g;

/**
 * The secrets that a rule shares with the origin or its callers, as far as names and forms tell: headers that requests are given, what
 * requests are compared with, and texts that have the form of a secret anywhere. Headers of responses are for everybody.
 */
export function plainSecrets(phase: string, rule: JsonObject): readonly PlainSecret[] {
  const named = [...givenHeaders(phase, rule), ...comparedIn(rule['expression'])];
  const known = named.flatMap(({ texts }) => texts);
  const shaped = shapedIn(rule, []).filter(
    ({ texts }) => !texts.every((text) => known.some((one) => one.includes(text))),
  );
  return [...named, ...shaped];
}

/**
 * The texts of a rule that look like secrets, the longest first: one may be a part of another. None is in its action, which has to be seen
 * wherever the rule is shown.
 */
export function secretTexts(phase: string, rule: JsonObject): readonly string[] {
  const action = typeof rule['action'] === 'string' ? rule['action'] : '';
  const texts = new Set(plainSecrets(phase, rule).flatMap(({ texts }) => texts));
  return [...texts].filter((text) => !action.includes(text)).sort((a, b) => b.length - a.length);
}

function givenHeaders(phase: string, { action_parameters: parameters }: JsonObject): readonly PlainSecret[] {
  const headers = isJsonObject(parameters) ? parameters['headers'] : undefined;
  if (phase === 'http_response_headers_transform' || !isJsonObject(headers)) {
    return [];
  }
  return Object.entries(headers).flatMap(([name, said]) => {
    const what = `the value of the header ${name}`;
    const path = ['action_parameters', 'headers', name];
    const { value, expression } = isJsonObject(said) ? said : {};
    return [
      ...found(typeof value === 'string' ? [value] : [], { path: [...path, 'value'], name, what }),
      ...found(literalsIn(expression), { path: [...path, 'expression'], name, what }),
    ];
  });
}

function comparedIn(expression: JsonValue | undefined): readonly PlainSecret[] {
  const compared = typeof expression === 'string' ? [...expression.matchAll(COMPARED)] : [];
  return compared.flatMap(({ groups = {} }) => {
    const { holder = '', name = '', texts } = groups;
    const what = `the value of the ${HOLDERS.get(holder) ?? holder} ${name}`;
    return found(literalsIn(texts), { path: ['expression'], name, what });
  });
}

function literalsIn(expression: JsonValue | undefined): readonly string[] {
  return typeof expression === 'string'
    ? [...expression.matchAll(LITERAL)].map(({ groups = {} }) => groups['raw'] ?? groups['text'] ?? '')
    : [];
}

/** Those of the texts that what has them makes secrets. */
function found(all: readonly string[], holder: Omit<PlainSecret, 'texts'>): readonly PlainSecret[] {
  const texts = all.filter(
    (text) =>
      isPlain(text) &&
      ((SECRET_NAME.test(holder.name) && text.length >= SHORTEST && !HOST_NAME.test(text)) ||
        isLikeRandom(text)),
  );
  return texts.length === 0 ? [] : [{ ...holder, texts }];
}

function shapedIn(value: JsonValue, path: PlainSecret['path']): readonly PlainSecret[] {
  if (typeof value === 'string') {
    return shapedSecrets(value).flatMap(({ what, text }) =>
      isPlain(text) ? [{ path, name: what, what, texts: [text] }] : [],
    );
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => shapedIn(item, [...path, index]));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, member]) => shapedIn(member, [...path, key]))
    : [];
}

/** A text with a variable, or with what stands for a sensitive value, shows none. */
function isPlain(text: string): boolean {
  return !text.includes('${') && referencesIn(text).length === 0;
}
