import { bytesToString, stringToBytes } from '../values/bytes.ts';
import { ofBytes, plain } from './function.ts';
import type { FunctionBuilder } from './function.ts';

const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/u;
const URL_SAFE = /^[A-Za-z0-9_-]*$/u;

/** Decodes Base64 in the standard alphabet, padded or not. The result for other input is not documented; here it is missing. */
export const decodeBase64: FunctionBuilder = ofBytes(decodeStandard);

/** Encodes Base64: without padding unless the flag `p` is given, in the URL-safe alphabet with `u`. */
export const encodeBase64: FunctionBuilder = plain(([bytes, flags]) => {
  if (typeof bytes !== 'string') {
    return undefined;
  }
  const wanted = typeof flags === 'string' ? flags : '';
  const encoded = Buffer.from(stringToBytes(bytes)).toString('base64');
  const padded = wanted.includes('p') ? encoded : encoded.replace(/=+$/u, '');
  return wanted.includes('u') ? padded.replaceAll('+', '-').replaceAll('/', '_') : padded;
});

/** Decodes standard Base64, padded or not; undefined for any other text. */
export function decodeStandard(text: string): string | undefined {
  const digits = text.replace(/=+$/u, '');
  const complete = text.length === digits.length || text.length % 4 === 0;
  return STANDARD.test(text) && complete && digits.length % 4 !== 1
    ? bytesToString(Buffer.from(digits, 'base64'))
    : undefined;
}

/** Decodes URL-safe Base64 without padding; undefined for any other text. */
export function decodeUrlSafe(text: string): string | undefined {
  return URL_SAFE.test(text) && text.length % 4 !== 1
    ? bytesToString(Buffer.from(text, 'base64url'))
    : undefined;
}
