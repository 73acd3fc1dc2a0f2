import { isAscii } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { isJsonObject, isNestedDeeper, listOf, parsedJson } from '../data/index.ts';
import type { ResponseMessage, ResultInfo } from './response.ts';
import type { ServiceErrorItem } from './service-error.ts';
import { transportFailure } from './transport-errors.ts';
import type { WireResult } from './request.ts';

/** The parsed body of a response. */
export type Body =
  | { readonly kind: 'empty' }
  | { readonly kind: 'other'; readonly text: string }
  /** JSON that is nested too deeply for the code that recurses over it. */
  | { readonly kind: 'too-deep' }
  | {
      readonly kind: 'envelope';
      readonly success: JsonValue | undefined;
      readonly result: unknown;
      /** What an answer in the form of GraphQL has in place of `result`. */
      readonly data: JsonValue;
      readonly errors: readonly ServiceErrorItem[];
      readonly messages: readonly ResponseMessage[];
      readonly resultInfo: ResultInfo | null;
    };

/** The maximum nesting of a response; documented responses have fewer than twenty levels. */
export const MAX_RESPONSE_DEPTH = 100;

/** Parses a body as the envelope of api.md 1.2, or as the kind of body it is instead. All texts are masked. */
export function readBody(text: string, mask: (text: string) => string): Body {
  if (text.trim() === '') {
    return { kind: 'empty' };
  }
  const value = parsedJson(text);
  if (isNestedDeeper(value, MAX_RESPONSE_DEPTH)) {
    return { kind: 'too-deep' };
  }
  if (!isJsonObject(value) || !('success' in value || 'errors' in value)) {
    return { kind: 'other', text: mask(text) };
  }
  return {
    kind: 'envelope',
    success: value['success'],
    result: value['result'] ?? null,
    data: value['data'] ?? null,
    // Each is a list, `null` or missing (api.md 1.2).
    errors: listOf(value['errors']).flatMap((item) => errorItems(item, mask)),
    messages: listOf(value['messages']).flatMap((item) => messagesOf(item, mask)),
    resultInfo: isJsonObject(value['result_info']) ? resultInfoOf(value['result_info']) : null,
  };
}

function messagesOf(value: JsonValue, mask: (text: string) => string): readonly ResponseMessage[] {
  const item = isJsonObject(value) ? value : { message: value };
  const message = item['message'];
  const code = item['code'];
  return typeof message === 'string'
    ? [{ message: mask(message), ...(typeof code === 'number' ? { code } : {}) }]
    : [];
}

/** Returns an error, followed by the errors in its `error_chain` (api.md 1.2, gateway errors). */
function errorItems(value: JsonValue, mask: (text: string) => string): readonly ServiceErrorItem[] {
  const [first] = messagesOf(value, mask);
  if (first === undefined || !isJsonObject(value)) {
    return first === undefined ? [] : [first];
  }
  const pointer = isJsonObject(value['source']) ? value['source']['pointer'] : undefined;
  const chain = listOf(value['error_chain']).flatMap((item) => messagesOf(item, mask));
  return [typeof pointer === 'string' ? { ...first, pointer: mask(pointer) } : first, ...chain];
}

function resultInfoOf(info: JsonObject): ResultInfo {
  const cursors = isJsonObject(info['cursors']) ? info['cursors']['after'] : undefined;
  const after = [cursors, info['cursor']].find((cursor) => typeof cursor === 'string' && cursor !== '');
  return {
    ...(typeof after === 'string' ? { after } : {}),
    ...counted(info, 'page', 'page'),
    ...counted(info, 'per_page', 'perPage'),
    ...counted(info, 'count', 'count'),
    ...counted(info, 'total_count', 'totalCount'),
    ...counted(info, 'total_pages', 'totalPages'),
  };
}

function counted(
  info: JsonObject,
  key: string,
  name: Exclude<keyof ResultInfo, 'after'>,
): Partial<Record<typeof name, number>> {
  const value = info[key];
  return typeof value === 'number' ? { [name]: value } : {};
}

/** The largest response is a ruleset of 1,000 rules of a few kilobytes each; a body that is far larger means that something is wrong. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** The only encoding accepted for response bodies. Brotli would make rules at most a tenth smaller. */
export const ACCEPTED_ENCODING = 'gzip';

/**
 * Returns the text of a received body, or why there is none: its encoding was not asked for, it is damaged, or it is too large when
 * decompressed.
 */
export function bodyText(chunks: readonly Buffer[], encoding: string | undefined): string | WireResult {
  const [only] = chunks;
  const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
  const codings = encoding === undefined ? [] : codingsOf(encoding);
  if (codings.length === 0 || bytes.length === 0) {
    return decoded(bytes);
  }
  if (codings.length > 1 || codings[0] !== ACCEPTED_ENCODING) {
    return {
      kind: 'broken',
      reason: 'unsupported-encoding',
      sent: true,
      detail: `Content-Encoding: ${encoding}`,
    };
  }
  try {
    return decoded(gunzipSync(bytes, { maxOutputLength: MAX_BYTES }));
  } catch (error) {
    return transportFailure(error);
  }
}

/** Parses `Content-Encoding`: proxies send `identity` for an uncompressed body, and `x-gzip` means `gzip` (RFC 9110, 8.4.1 and 12.5.3). */
function codingsOf(encoding: string): readonly string[] {
  return encoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .map((coding) => (coding === 'x-gzip' ? ACCEPTED_ENCODING : coding));
}

/** Decodes UTF-8 and drops a byte order mark. Most responses are pure ASCII, which decodes as latin1 in half the time. */
function decoded(bytes: Buffer): string {
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
