import { isAscii } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { transportFailure } from './transport-errors.ts';
import type { WireResult } from './dispatch.ts';

/** The largest answer is a ruleset of 1,000 rules at some kilobytes each; far above that something is wrong. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** The only encoding in which an answer may be compressed. Brotli would make rules at most a tenth smaller. */
export const ACCEPTED_ENCODING = 'gzip';

/** The text of a body as it came, or why there is none: it is packed otherwise than asked for, damaged, or too large unpacked. */
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

/** How a body is packed: proxies name `identity` for not at all, and `x-gzip` is the same as `gzip` (RFC 9110, 8.4.1 and 12.5.3). */
function codingsOf(encoding: string): readonly string[] {
  return encoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .map((coding) => (coding === 'x-gzip' ? ACCEPTED_ENCODING : coding));
}

/** Decodes UTF-8 without a byte order mark. Most responses are pure ASCII, for which latin1 takes half the time. */
function decoded(bytes: Buffer): string {
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
