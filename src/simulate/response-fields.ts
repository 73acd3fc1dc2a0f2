import type { Value } from '../expression/index.ts';
import { lowerAscii, mapOfEntries } from '../expression/index.ts';
import { groupByName, valuesOf } from './headers.ts';
import type { Header } from './headers.ts';

/** A response on its way to the visitor; rules change its headers. */
export interface ResponseState {
  readonly status: number;
  readonly headers: readonly Header[];
  /** The headers as the origin sent them. */
  readonly originHeaders: readonly Header[];
}

/** Returns the fields that follow from a response. */
export function responseFields(response: ResponseState): readonly (readonly [string, Value])[] {
  const { status, headers, originHeaders } = response;
  const type = valuesOf(headers, 'content-type')[0] ?? '';
  return [
    ['http.response.code', status],
    ['http.response.content_type.media_type', lowerAscii((type.split(';')[0] ?? '').trim())],
    ...headerFields('http.response.headers', headers),
    ...headerFields('raw.http.response.headers', originHeaders),
  ];
}

function headerFields(name: string, headers: readonly Header[]): readonly (readonly [string, Value])[] {
  return [
    [name, mapOfEntries(groupByName(headers, lowerAscii))],
    [`${name}.names`, headers.map((header) => header.name)],
    [`${name}.values`, headers.map(({ value }) => value)],
  ];
}
