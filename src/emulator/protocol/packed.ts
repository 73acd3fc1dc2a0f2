import { gzipSync } from 'node:zlib';

/** A body as it is sent, and the headers that describe its encoding. */
export interface Packed {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Shorter bodies are sent uncompressed: compression would not save a network packet. */
const MIN_PACKED_LENGTH = 1000;

/** Matches `gzip` in a list of encodings, unless its weight is zero. */
const TAKES_GZIP = /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?:1|0\.0*[1-9]))/iu;

/** Compresses a body for clients that accept gzip, as the edge in front of the real service does. */
export function packed(body: string | null, accepted: string | undefined): Packed {
  return body === null || body.length < MIN_PACKED_LENGTH || !TAKES_GZIP.test(accepted ?? '')
    ? { body, headers: {} }
    : { body: new Uint8Array(gzipSync(body, { level: 1 })), headers: { 'content-encoding': 'gzip' } };
}
