import { createHash, createHmac } from 'node:crypto';
import { bytesToString, stringToBytes } from '../values/bytes.ts';
import { isInt, toInt, isIp } from '../values/value.ts';
import type { Int, Value } from '../values/value.ts';
import { valueToJson } from '../values/read-json.ts';
import { networkRange } from '../values/ip-set-item.ts';
import { ofBytes, plain } from './function.ts';
import type { FunctionBuilder } from './function.ts';
import { decodeUrl } from './text-functions.ts';

/** Returns the 32 bytes of the SHA-256 digest. */
export const sha256: FunctionBuilder = ofBytes((bytes) => bytesToString(digest(stringToBytes(bytes))));

/** Returns a version 4 UUID computed from the given bytes: the same bytes give the same UUID. */
export const uuidv4: FunctionBuilder = ofBytes((seed) => {
  const bytes = digest(stringToBytes(seed)).subarray(0, 16);
  // Sets the version and variant bits of a random UUID (RFC 9562).
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
});

/** Returns an integer from `start` to before `end` that depends on the values alone; computed by the host's function, or by ours. */
export const hashInRange: FunctionBuilder = ({ context }) => {
  const hash = context.hashInRange ?? defaultHash;
  return {
    ok: true,
    apply: ([start, end, ...values]) => {
      const present = values.filter((value) => value !== undefined);
      return isInt(start) && isInt(end) && end > start && present.length === values.length
        ? hash({ start, end }, present)
        : undefined;
    },
  };
};

function defaultHash(
  { start, end }: { readonly start: Int; readonly end: Int },
  values: readonly Value[],
): Int {
  const bytes = digest(Buffer.from(JSON.stringify(values.map(valueToJson))));
  return toInt(BigInt(start) + (bytes.readBigUInt64BE(0) % (BigInt(end) - BigInt(start))));
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

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
function decodeStandard(text: string): string | undefined {
  const digits = text.replace(/=+$/u, '');
  const complete = text.length === digits.length || text.length % 4 === 0;
  return STANDARD.test(text) && complete && digits.length % 4 !== 1
    ? bytesToString(Buffer.from(digits, 'base64'))
    : undefined;
}

/** Decodes URL-safe Base64 without padding; undefined for any other text. */
function decodeUrlSafe(text: string): string | undefined {
  return URL_SAFE.test(text) && text.length % 4 !== 1
    ? bytesToString(Buffer.from(text, 'base64url'))
    : undefined;
}

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

/** Whether the request carries the token of a configuration; asks the host. */
export const isJwtPresent: FunctionBuilder = ({ context }) => askHost(context.isJwtPresent);

/** Whether the request carries a valid token of a configuration; asks the host. */
export const isJwtValid: FunctionBuilder = ({ context }) => askHost(context.isJwtValid);

function askHost(ask: ((configuration: string) => boolean) | undefined): ReturnType<FunctionBuilder> {
  return {
    ok: true,
    apply: ([configuration]) => typeof configuration === 'string' && ask !== undefined && ask(configuration),
  };
}

/** Returns the network address of an address, with one prefix length for IPv4 and one for IPv6. */
export const cidr: FunctionBuilder = plain(([address, bits4, bits6]) =>
  networkAddress(address, { 4: bits4, 6: bits6 }),
);

/** Returns the network address of an IPv6 address, and an IPv4 address unchanged. */
export const cidr6: FunctionBuilder = plain(([address, bits]) => networkAddress(address, { 4: 32, 6: bits }));

/**
 * Returns the number made of the bits from one offset to before another, counted from the highest bit of the first byte; missing when the
 * data is shorter.
 */
export const bitSlice: FunctionBuilder = plain(([bytes, start, end]) => {
  if (typeof bytes !== 'string' || typeof start !== 'number' || typeof end !== 'number') {
    return undefined;
  }
  if (start < 0 || end < start || end > bytes.length * 8) {
    return undefined;
  }
  let value = 0;
  for (let bit = start; bit < end; bit += 1) {
    value = value * 2 + ((bytes.charCodeAt(bit >> 3) >> (7 - (bit & 7))) & 1);
  }
  return value;
});

function networkAddress(
  address: Value | undefined,
  bits: Readonly<Record<4 | 6, Value | undefined>>,
): Value | undefined {
  if (!isIp(address)) {
    return undefined;
  }
  const length = bits[address.family];
  return typeof length === 'number'
    ? { family: address.family, value: networkRange(address, length).first }
    : undefined;
}
