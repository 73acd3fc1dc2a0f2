import { createHmac } from 'node:crypto';
import { bytesToString, stringToBytes } from '../values/bytes.ts';
import { isInt } from '../values/value.ts';
import { decodeStandard, decodeUrlSafe } from './base64.ts';
import { plain } from './function.ts';
import type { FunctionBuilder } from './function.ts';
import { decodeUrl } from './url-decode.ts';

/**
 * Whether a message with a time-limited signature is authentic: message, separator, ten digits of time, `-`, HMAC-SHA256 in Base64 over
 * message and time; valid while now is at most time + ttl (functions.json). The signature is URL-encoded standard Base64, or with the
 * flag `s` URL-safe Base64 without padding.
 */
export const isTimedHmacValid: FunctionBuilder = plain((args) => {
  const [key, signed, ttl, now, separatorLength = 0, flags = ''] = args;
  if (args.includes(undefined) || typeof key !== 'string' || typeof signed !== 'string') {
    return undefined;
  }
  if (!isInt(ttl) || !isInt(now) || typeof separatorLength !== 'number' || typeof flags !== 'string') {
    return undefined;
  }
  const parts = splitSigned(signed);
  if (parts === undefined || parts.message.length <= separatorLength) {
    return false;
  }
  const given =
    flags === 's' ? decodeUrlSafe(parts.mac) : decodeStandard(decodeUrl(parts.mac, { keepPlus: true }));
  const message = parts.message.slice(0, parts.message.length - separatorLength);
  const expected = createHmac('sha256', stringToBytes(key))
    .update(stringToBytes(message + parts.time))
    .digest();
  return given === bytesToString(expected) && BigInt(now) <= BigInt(parts.time) + BigInt(ttl);
});

/** Splits a signed message at the last ten digits that are followed by `-` and at least 43 bytes. */
function splitSigned(
  signed: string,
): { readonly message: string; readonly time: string; readonly mac: string } | undefined {
  for (let dash = signed.length - 44; dash > 10; dash -= 1) {
    const time = signed.slice(dash - 10, dash);
    if (signed.charAt(dash) === '-' && /^[0-9]{10}$/u.test(time)) {
      return { message: signed.slice(0, dash - 10), time, mac: signed.slice(dash + 1) };
    }
  }
  return undefined;
}
