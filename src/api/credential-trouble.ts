import type { ServiceErrorItem } from './service-error.ts';

/**
 * Why the service rejects credentials: the format is invalid, it does not know them, or they may not be used from this address. `doubtful`:
 * the service gives the same answer to a token that it does not know and to one that lacks a permission.
 */
export type CredentialTrouble = 'malformed-token' | 'malformed-key' | 'unknown' | 'address' | 'doubtful';

/** Error codes of the gateway (api.md 1.5). */
const BY_CODE: ReadonlyMap<number, CredentialTrouble> = new Map([
  [6111, 'malformed-token'],
  [6102, 'malformed-key'],
  [6103, 'malformed-key'],
  [9103, 'unknown'],
  [9106, 'unknown'],
  [10000, 'doubtful'],
]);

/** A code with three meanings, which only the message tells apart. */
const SEVERAL_MEANINGS = 9109;

/** Returns what an answer says about the credentials; `undefined` when its error is not about them. */
export function credentialTrouble(
  status: number | null,
  errors: readonly ServiceErrorItem[],
): CredentialTrouble | undefined {
  if (status === null || ![400, 401, 403].includes(status)) {
    return undefined;
  }
  const found = errors.flatMap(({ code, message }) => {
    const trouble =
      code === SEVERAL_MEANINGS ? byText(message) : code === undefined ? undefined : BY_CODE.get(code);
    return trouble === undefined ? [] : [trouble];
  });
  const certain = found.find((trouble) => trouble !== 'doubtful');
  return certain ?? (status === 401 ? 'unknown' : found[0]);
}

function byText(message: string): CredentialTrouble | undefined {
  if (/access token from location/iu.test(message)) {
    return 'address';
  }
  return /invalid access token/iu.test(message) ? 'unknown' : undefined;
}
