import type { Value } from '../expression/index.ts';
import { decodeUrl, lowerAscii, mapOfEntries } from '../expression/index.ts';
import type { SimulatedRequest } from './exchange.ts';
import { groupByName, valuesOf } from './headers.ts';
import type { Header } from './headers.ts';
import { basenameOf, extensionOf, joinUrl, requestTarget } from './url.ts';
import type { Url } from './url.ts';

type FieldValue = readonly [name: string, value: Value];

/** Computes a field from a URL. */
export type OfUrl = (url: Url) => Value;

const OF_URL: readonly (readonly [name: string, of: OfUrl])[] = [
  ['http.request.full_uri', joinUrl],
  ['http.request.uri', requestTarget],
  ['http.request.uri.path', ({ path }) => path],
  ['http.request.uri.path.extension', ({ path }) => extensionOf(path)],
  ['http.request.uri.path.basename', ({ path }) => basenameOf(path)],
  ['http.request.uri.query', ({ query }) => query],
  ['http.request.uri.args', ({ query }) => mapOfEntries(groupByName(argumentsOf(query)))],
  ['http.request.uri.args.names', ({ query }) => argumentsOf(query).map(({ name }) => name)],
  ['http.request.uri.args.values', ({ query }) => argumentsOf(query).map(({ value }) => value)],
];

/** The fields that follow from the URL as rules have rewritten it. */
export const URL_FIELDS: ReadonlyMap<string, OfUrl> = new Map(OF_URL);

/** The fields that follow from the URL as it came in. */
export const RAW_URL_FIELDS: ReadonlyMap<string, OfUrl> = new Map(
  OF_URL.flatMap(([name, of]) => (name.endsWith('.basename') ? [] : [[`raw.${name}`, of] as const])),
);

/** Returns fields that follow from a URL. */
export function urlFields(url: Url, fields: ReadonlyMap<string, OfUrl>): readonly FieldValue[] {
  return [...fields].map(([name, of]) => [name, of(url)]);
}

/**
 * Returns the fields that follow from headers. A field of a single header that is neither present nor in `sent` is left out, since it was
 * not given.
 */
export function headerFields(
  headers: readonly Header[],
  { host, sent }: { readonly host: string; readonly sent: readonly Header[] },
): readonly FieldValue[] {
  const ofHeader = (name: string, fields: (values: readonly string[]) => readonly FieldValue[]) => {
    const values = valuesOf(headers, name);
    // A header that a rule removed was given.
    return values.length > 0 || valuesOf(sent, name).length > 0 ? fields(values) : [];
  };
  return [
    ['http.host', valuesOf(headers, 'host')[0] ?? host],
    ...ofHeader('user-agent', ([first = '']) => [['http.user_agent', first]]),
    ...ofHeader('referer', ([first = '']) => [['http.referer', first]]),
    ...ofHeader('x-forwarded-for', (values) => [['http.x_forwarded_for', values.join(', ')]]),
    ...ofHeader('cookie', (values) => {
      const cookie = values.join('; ');
      return [
        ['http.cookie', cookie],
        ['http.request.cookies', cookieMap(cookie)],
      ];
    }),
    ...headerMap(headers, 'http.request.headers'),
    ...headerMap(sent, 'raw.http.request.headers'),
    ...ofHeader('accept-language', (values) => [
      ['http.request.accepted_languages', languagesOf(values.join(','))],
    ]),
  ];
}

function headerMap(headers: readonly Header[], field: string): readonly FieldValue[] {
  return [
    [field, mapOfEntries(groupByName(headers, lowerAscii))],
    [`${field}.names`, headers.map(({ name }) => name)],
    [`${field}.values`, headers.map(({ value }) => value)],
  ];
}

/** Returns the fields that follow from the body; those of a form only when the content type says that it is one. */
export function bodyFields({
  body,
  headers,
}: Pick<SimulatedRequest, 'body' | 'headers'>): readonly FieldValue[] {
  if (body === undefined) {
    return [];
  }
  const type = valuesOf(headers, 'content-type')[0] ?? '';
  const form = type.startsWith('application/x-www-form-urlencoded') ? argumentsOf(body) : [];
  return [
    ['http.request.body.raw', body],
    ['http.request.body.size', body.length],
    ['http.request.body.form', mapOfEntries(groupByName(form))],
    ['http.request.body.form.names', form.map(({ name }) => name)],
    ['http.request.body.form.values', form.map(({ value }) => value)],
  ];
}

/** Splits `a=1&b` in order; nothing is decoded (fields.json). */
function argumentsOf(query: string): readonly Header[] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map(pairOf);
}

/** Returns the cookies of a header by name. */
export function cookieMap(header: string): Value {
  return mapOfEntries(groupByName(cookiesOf(header)));
}

/** Splits cookies in order; names are URL-decoded, values are not (fields.json). */
function cookiesOf(header: string): readonly Header[] {
  return header
    .split(/; */u)
    .filter((part) => /[^ \t]/u.test(part))
    .map(pairOf)
    .map(({ name, value }) => ({ name: decodeUrl(withoutBlanks(name), { keepPlus: true }), value }));
}

/** Splits `name=value`; a name alone has an empty value. */
function pairOf(part: string): Header {
  const [name = ''] = part.split('=', 1);
  return { name, value: part.slice(name.length + 1) };
}

/** Removes blanks and tabs at both ends; `trim()` would also remove bytes such as 0xA0 that are parts of letters. */
function withoutBlanks(text: string): string {
  return text.replaceAll(/^[ \t]+|[ \t]+$/gu, '');
}

/** Returns language tags by weight, highest first, without `*` (fields.json). */
function languagesOf(header: string): readonly string[] {
  return header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ tag }) => tag !== '' && tag !== '*')
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
