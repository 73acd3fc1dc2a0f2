import type { ResponseMessage, ResultInfo } from './response.ts';
import type { ServiceErrorItem } from './service-error.ts';
import type { JsonObject, JsonValue } from '../model/json.ts';
import { isJsonObject, isNestedDeeper, listOf, parsedJson } from '../model/json.ts';

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
