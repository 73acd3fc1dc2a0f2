import type { JsonObject, JsonValue } from './json.ts';
import { isJsonArray, isJsonObject } from './json.ts';
import { namesSecret } from './credential-variables.ts';
import { isLikeRandom, shapedSecrets } from './secret-shapes.ts';
import { referencesIn } from './sensitive.ts';
import { usedTexts } from './used-texts.ts';

/** A text that a rule holds in clear and that looks like a secret. */
export interface PlainSecret {
  /** Keys that lead from the rule to the text. */
  readonly path: readonly (string | number)[];
  /** What holds the secret, such as the name of a header; else what kind of secret it is. */
  readonly name: string;
  /** The same, worded as the beginning of a sentence. */
  readonly what: string;
  /** The secrets themselves. */
  readonly texts: readonly string[];
}

/** Names of headers, cookies and parameters that carry credentials. */
const SECRET_NAME =
  /auth(?!ors?(?:[-_]|$)|orit)|token|secret|passw|passphrase|credential|signature|session|api-?_?key|access-?_?key|(?:^|[-_])(?:key|jwt|bearer|sid)(?:[-_]|$)|cookie/i;

/** Shorter texts could not be a sensitive variable, and are more likely words such as `none`. */
const SHORTEST = 8;

/** A host name only says where a request goes, whatever header holds it. */
const HOST_NAME = /^(?:[a-z\d-]{1,63}\.)+[a-z]{2,24}$/i;

/**
 * Finds the secrets that a rule shares with the origin or its callers, as far as names and forms tell: values of request headers that the rule
 * sets, values that requests are compared with, and texts anywhere that have the form of a secret. Response headers are public.
 */
export function plainSecrets(phase: string, rule: JsonObject): readonly PlainSecret[] {
  const named = [...givenHeaders(phase, rule), ...comparedIn(rule)];
  const known = named.flatMap(({ texts }) => texts);
  const shaped = shapedIn(rule, []).filter(
    ({ texts }) => !texts.every((text) => known.some((one) => one.includes(text))),
  );
  return [...named, ...shaped];
}

/**
 * Returns the texts of a rule that look like secrets, longest first since one may be part of another. Texts within the rule's action are
 * excluded: the action has to be visible wherever the rule is shown.
 */
export function secretTexts(phase: string, rule: JsonObject): readonly string[] {
  const action = typeof rule['action'] === 'string' ? rule['action'] : '';
  const texts = new Set(plainSecrets(phase, rule).flatMap(({ texts }) => texts));
  return [...texts].filter((text) => !action.includes(text)).sort((a, b) => b.length - a.length);
}

/** Values that only say where something is. */
const PLACE = /^\/|^[\w.-]*\.\w+\[/;

/**
 * Returns what kind of secret a value of a variable is, by the variable's name or its own form; undefined for others. A value that names other
 * variables is judged where those are declared.
 */
export function plainVariable(name: string, text: string): string | undefined {
  const [shaped] = shapedSecrets(text);
  if (!isPlain(text)) {
    return undefined;
  }
  if (shaped !== undefined || isLikeRandom(text)) {
    return shaped?.what ?? 'a secret';
  }
  const isNamed = namesSecret(name) && text.length >= SHORTEST && !HOST_NAME.test(text) && !PLACE.test(text);
  return isNamed ? 'a secret, by its name' : undefined;
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

function comparedIn(rule: JsonObject): readonly PlainSecret[] {
  const { expression, ratelimit } = rule;
  const counting = isJsonObject(ratelimit) ? ratelimit['counting_expression'] : undefined;
  return [
    ...comparedTexts(expression, ['expression']),
    ...comparedTexts(counting, ['ratelimit', 'counting_expression']),
  ];
}

function comparedTexts(expression: JsonValue | undefined, path: PlainSecret['path']): readonly PlainSecret[] {
  return typeof expression === 'string'
    ? usedTexts(expression).flatMap(({ part, text, isPart }) => [
        ...(part === undefined || (isPart && (COOKIES.test(part.name) || isWord(text)))
          ? []
          : found([text], { path, ...part })),
        ...pairsIn(text, path),
      ])
    : [];
}

/** Names of headers that hold many values, each with a name of its own. */
const COOKIES = /^(?:set-)?cookie$/i;

/** How credentials begin that a header holds. */
const SCHEME = /^(?:basic|bearer|digest|negotiate|ntlm|hawk|aws4-hmac-sha\d+)\b\s*$/i;

/** Whether a text that a value is searched for is more likely a word than a part of a secret. */
function isWord(text: string): boolean {
  return SCHEME.test(text) || !(/\d/.test(text) && /[a-z]/i.test(text));
}

/** A name with its value, as in cookies, queries and forms. */
const PAIR = /(?:^|[?&;,\s])(?<name>[\w.-]{1,100})=(?<value>[^&;,\s"\\]{8,})/g;

function pairsIn(text: string, path: PlainSecret['path']): readonly PlainSecret[] {
  return [...text.matchAll(PAIR)].flatMap(({ groups: { name = '', value = '' } = {} }) =>
    isWord(value) ? [] : found([value], { path, name, what: `the value of ${name}` }),
  );
}

function literalsIn(expression: JsonValue | undefined): readonly string[] {
  return typeof expression === 'string' ? usedTexts(expression).map(({ text }) => text) : [];
}

/** Keeps the texts that count as secrets because of their holder's name or because they look random. */
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

/** Whether a text contains no variable and no reference to a sensitive value, so that it is written in clear. */
function isPlain(text: string): boolean {
  return !text.includes('${') && referencesIn(text).length === 0;
}
