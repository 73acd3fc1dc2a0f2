import { phaseFacts, RulewrightError, SETTINGS } from '../model/index.ts';
import type { ServiceErrorItem } from './service-error.ts';
import type { ServiceRequest } from './request.ts';

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

/** The permission groups of the older families, by the first segment of their paths (api.md 11.3); settings say theirs in their table. */
const ZONE_FAMILIES: ReadonlyMap<string, string> = new Map([
  ['firewall', 'Firewall Services'],
  ['filters', 'Firewall Services'],
  ['rate_limits', 'Firewall Services'],
  ['waf_migration', 'Firewall Services'],
  ['pagerules', 'Page Rules'],
]);

/** Returns a sentence about the permission that a refused request needs. */
export function permissionHint(request: ServiceRequest): string {
  if (request.asks === true) {
    return 'the token needs the permission "Analytics" Read for these zones';
  }
  const right = request.method === 'GET' ? 'Read' : 'Write';
  const [, kind, , family, ...inner] = request.path.split('/');
  if (kind !== 'zones' && kind !== 'accounts') {
    return 'the credentials are valid but not allowed to do this';
  }
  const ofSetting = SETTINGS.find(({ path }) => path === `/${[family, ...inner].join('/')}`)?.permission;
  const services =
    kind === 'zones' && family !== undefined ? (ZONE_FAMILIES.get(family) ?? ofSetting) : undefined;
  if (services !== undefined) {
    return `the token needs the permission "${services}" ${right} for this zone`;
  }
  if (kind === 'accounts' && family === 'rules') {
    return `the token needs the permission "Account Filter Lists" ${right} for this account`;
  }
  if (family !== 'rulesets') {
    return `the token needs the permission "${kind === 'zones' ? 'Zone' : 'Account Settings'}" ${right}`;
  }
  const level = kind === 'zones' ? 'zone' : 'account';
  const phase = request.phase ?? /\/phases\/([^/]+)\//.exec(request.path)?.[1];
  const group = phaseFacts(phase)?.permissions[level];
  if (phase === undefined || group === undefined) {
    const example = level === 'zone' ? '"Zone WAF"' : '"Account WAF" or "Account Rulesets"';
    return `the token needs ${right} of the permission of the phase (for WAF rules ${example}), for this ${level}`;
  }
  return `the token needs the permission "${group}" ${right} for this ${level}: phase ${phase} asks for it`;
}
