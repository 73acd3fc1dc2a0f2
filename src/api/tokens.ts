import { decodeResult } from './response.ts';
import type { ReadClient } from './client.ts';
import type { FieldReaders } from './answer-shape.ts';
import { decodeOne, optionalText, textMember } from './answer-shape.ts';

/** The facts about the token in use (api.md 1.1). */
export interface TokenFacts {
  readonly id: string;
  /** `active`, `disabled` or `expired`. */
  readonly status: string;
  /** A time in RFC 3339; null when the service gives none. */
  readonly expiresOn: string | null;
  readonly notBefore: string | null;
}

/** Verifies the API token. Rejects with `api/unauthorized` for a token that the service does not know. */
export async function verifyToken(client: ReadClient): Promise<TokenFacts> {
  return decodeResult(await client.get('/user/tokens/verify'), decodeOne(decodeToken));
}

function decodeToken(token: FieldReaders): TokenFacts {
  return {
    id: textMember(token, 'id'),
    status: textMember(token, 'status'),
    expiresOn: optionalText(token, 'expires_on') ?? null,
    notBefore: optionalText(token, 'not_before') ?? null,
  };
}
