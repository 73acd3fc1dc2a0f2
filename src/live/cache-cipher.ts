import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MAX_BYTES } from '../api/body-text.ts';
import type { Credentials } from '../api/credentials.ts';

/** Encrypts and decrypts entries, which only the same credentials for the same service can read. */
export interface CacheCipher {
  /** Returns the opaque file name of an entry. */
  name(parts: readonly string[]): string;
  seal(name: string, text: string): Buffer;
  /** Returns the text; null for an entry that these credentials did not seal under this name, or that was changed since. */
  open(name: string, sealed: Buffer): string | null;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a cipher: AES-256-GCM with a key derived from the credentials. So a cache that others can read shows nobody more than the service
 * would, contains nothing in the clear, and cannot be filled by somebody else.
 */
export function cacheCipher(service: string, credentials: Credentials): CacheCipher {
  const secret = credentials.kind === 'token' ? credentials.token : `${credentials.email} ${credentials.key}`;
  const derived = Buffer.from(hkdfSync('sha256', secret, 'rulewright cache 1', service, 64));
  const [key, nameKey] = [derived.subarray(0, 32), derived.subarray(32)];
  return {
    name: (parts) => createHmac('sha256', nameKey).update(JSON.stringify(parts)).digest('hex').slice(0, 40),
    seal: (name, text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
      const packed = deflateRawSync(text, { level: 1 });
      const body = Buffer.concat([cipher.update(packed), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open: (name, sealed) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) {
        return null;
      }
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(name))
          .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
        const packed = Buffer.concat([decipher.update(body), decipher.final()]);
        return inflateRawSync(packed, { maxOutputLength: MAX_BYTES }).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
