import { RulewrightError } from '../model/error.ts';

/** Either of the two ways to authenticate (api.md 1.1). */
export type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'key'; readonly email: string; readonly key: string };

/** Shorter values are no secrets, and masking them would garble ordinary words. */
const MIN_SECRET_LENGTH = 8;

/**
 * Returns the headers that carry the credentials. Throws `api/bad-credentials` for a value that is empty or not allowed in a header; the
 * message says what is wrong and where, and never shows the value.
 */
export function credentialHeaders(credentials: Credentials): Readonly<Record<string, string>> {
  // A kind that the types do not know would end up here with its secret, so nothing here may print its argument.
  return credentials.kind === 'token'
    ? { authorization: `Bearer ${checked('API token', credentials.token)}` }
    : {
        'x-auth-email': checked('e-mail address', credentials.email),
        'x-auth-key': checked('API key', credentials.key),
      };
}

/** Returns a function that masks the credentials wherever they occur in a text. */
export function maskCredentials(credentials: Credentials): (text: string) => string {
  const values = credentials.kind === 'token' ? [credentials.token] : [credentials.key, credentials.email];
  const spellings = values.flatMap((value) => [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ]);
  const secrets = [...new Set(spellings)].filter((value) => value.length >= MIN_SECRET_LENGTH);
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

function checked(what: string, value: string): string {
  if (value === '') {
    throw badCredentials(`The ${what} is empty.`);
  }
  const index = value.search(/[^\x21-\x7e]/);
  if (index === -1) {
    return value;
  }
  const place =
    value.slice(index).trim() === '' ? 'at its end' : index === 0 ? 'at its start' : 'in the middle of it';
  throw badCredentials(`The ${what} has ${nameOf(value.charAt(index))} ${place}; no header can carry that.`);
}

function nameOf(character: string): string {
  if (character === '\n' || character === '\r') {
    return 'a line break';
  }
  if (character === ' ' || character === '\t') {
    return 'a blank';
  }
  return character < ' ' || character === '\x7f' ? 'a control character' : 'a character outside ASCII';
}

function badCredentials(message: string): RulewrightError {
  return new RulewrightError(message, {
    code: 'api/bad-credentials',
    fault: 'user',
    hint: 'set the variable to the bare value: no quotes, no "Bearer", no line break (printf, not echo, when it comes from a file)',
  });
}
