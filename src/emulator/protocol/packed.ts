import { gzipSync } from 'node:zlib';

/** A body as it goes on the wire, and the headers that say so. */
export interface Packed {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Shorter bodies are sent as they are: packing them would save no packet of the network. */
const MIN_PACKED_LENGTH = 1000;

/** `gzip` in a list of encodings, unless with a weight of zero. */
const TAKES_GZIP = /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?:1|0\.0*[1-9]))/iu;

/** Packs a body for those who take it, as the edge in front of the real service does. */
export function packed(body: string | null, accepted: string | undefined): Packed {
  return body === null || body.length < MIN_PACKED_LENGTH || !TAKES_GZIP.test(accepted ?? '')
    ? { body, headers: {} }
    : { body: new Uint8Array(gzipSync(body, { level: 1 })), headers: { 'content-encoding': 'gzip' } };
}
