import { createHash } from 'node:crypto';
import { bytesToString, stringToBytes } from '../values/bytes.ts';
import { isInt, toInt } from '../values/value.ts';
import type { Int, Value } from '../values/value.ts';
import { valueToJson } from '../values/read-json.ts';
import { ofBytes } from './function.ts';
import type { FunctionBuilder } from './function.ts';

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
