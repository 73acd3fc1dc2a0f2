import { isAscii } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { transportFailure } from './transport-errors.ts';
import type { WireResult } from './dispatch.ts';

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
