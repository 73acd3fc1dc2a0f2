import {
  authenticationError,
  invalidHeader,
  missingCredentials,
  unknownKey,
  decline,
} from '../protocol/refusal.ts';
import type { Store } from '../store/store.ts';
import type { Credential } from './call.ts';

/** The request headers that can carry credentials. */
export interface CredentialHeaders {
  readonly authorization: string | undefined;
  readonly email: string | undefined;
  readonly key: string | undefined;
}

/** Identifies who makes a request, by API token or by e-mail address and key; the token takes precedence (api.md 1.1, 1.5). */
export function authenticate(store: Store, headers: CredentialHeaders): Credential {
  if (headers.authorization !== undefined) {
    return byToken(store, headers.authorization);
  }
  if (headers.email === undefined || headers.key === undefined) {
    throw missingCredentials();
  }
  return byKey(store, headers.email, headers.key);
}

function byToken(store: Store, header: string): Credential {
  const value = /^Bearer ([A-Za-z0-9_-]+)$/u.exec(header)?.[1];
  if (value === undefined) {
    throw invalidHeader('authorization');
  }
  const token = store.tokens.get(value);
  const user = token === undefined ? undefined : store.users.get(token.user);
  if (token === undefined || user === undefined || token.status !== 'active') {
    throw authenticationError();
  }
  return { user, token };
}

function byKey(store: Store, email: string, key: string): Credential {
  if (!/^[^@\s]+@[^@\s]+$/u.test(email)) {
    throw invalidHeader('email');
  }
  // Classic keys are 37 hex characters (assumed).
  if (!/^[0-9a-f]{37}$/u.test(key)) {
    throw invalidHeader('key');
  }
  const user = store.users.all().find((candidate) => candidate.email === email && candidate.key === key);
  return { user: user ?? decline(unknownKey()) };
}
