import { decodeResult } from './response.ts';
import type { ReadClient } from './client.ts';
import type { Members } from './shape.ts';
import { decodeOne, optionalText, textMember } from './shape.ts';

/** What the service says about the token that asks (api.md 1.1). */
export interface TokenFacts {
  readonly id: string;
  /** `active`, `disabled` or `expired`. */
  readonly status: string;
  /** RFC 3339. */
  readonly expiresOn: string | null;
  readonly notBefore: string | null;
}

/** Checks the API token; a token that the service does not know is an `api/unauthorized` error. */
export async function verifyToken(client: ReadClient): Promise<TokenFacts> {
  return decodeResult(await client.get('/user/tokens/verify'), decodeOne(decodeToken));
}

function decodeToken(token: Members): TokenFacts {
  return {
    id: textMember(token, 'id'),
    status: textMember(token, 'status'),
    expiresOn: optionalText(token, 'expires_on') ?? null,
    notBefore: optionalText(token, 'not_before') ?? null,
  };
}
