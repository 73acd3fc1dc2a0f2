import { pageOfScopes, credentialTrouble, isServiceError, verifyToken } from '../../api/index.ts';
import type { ReadClient, CredentialTrouble, ServiceError, TokenFacts } from '../../api/index.ts';
import type { DoctorCheck } from '../../model/index.ts';
import { CREDENTIAL_ERRORS } from '../service/credential-errors.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { failedCheck, expectedError } from './failed-check.ts';

/** The check of one set of credentials; `usable: false` where further checks would fail. */
export interface CredentialCheck {
  readonly check: DoctorCheck;
  readonly usable: boolean;
}

/**
 * Checks whether the service accepts the credentials: the default ones, or those in the environment variable `tokenEnv`. Names the
 * variable, never its value.
 */
export async function checkCredentials(
  open: () => ReadClient,
  tokenEnv: string | undefined,
  { service, clock }: ServiceOptions,
): Promise<CredentialCheck> {
  const byKey = tokenEnv === undefined && service.kind === 'service' && service.credentials?.kind === 'key';
  const subject = byKey ? 'key' : tokenEnv === undefined ? 'token' : `token ${tokenEnv}`;
  try {
    const client = open();
    return byKey
      ? await tryKey(client)
      : await tryToken(client, {
          subject,
          variable: tokenEnv ?? 'CLOUDFLARE_API_TOKEN',
          now: clock.now(),
        });
  } catch (error) {
    const met = expectedError(error);
    return { check: failedCheck(subject, met), usable: !CREDENTIAL_ERRORS.has(met.code) };
  }
}

async function tryKey(client: ReadClient): Promise<CredentialCheck> {
  try {
    await pageOfScopes(client, 'zone', 1);
  } catch (error) {
    if (isServiceError(error) && error.code === 'api/unauthorized') {
      return { check: failedCheck('key', error), usable: false };
    }
    throw error;
  }
  return {
    check: {
      subject: 'key',
      status: 'warning',
      message: 'a key can do everything that its user can',
      hint: 'make a token with the permissions that are needed, and set CLOUDFLARE_API_TOKEN',
    },
    usable: true,
  };
}

/** How a token is presented to the user. */
interface NamedToken {
  readonly subject: string;
  /** The environment variable that holds the token. */
  readonly variable: string;
  /** The time of the check, in milliseconds since 1970. */
  readonly now: number;
}

async function tryToken(client: ReadClient, named: NamedToken): Promise<CredentialCheck> {
  let refused: ServiceError;
  try {
    return judged(await verifyToken(client), named);
  } catch (error) {
    if (!isServiceError(error) || credentialTrouble(error.status, error.errors) === undefined) {
      throw error;
    }
    refused = error;
  }
  const trouble = credentialTrouble(refused.status, refused.errors);
  if (trouble === 'malformed-token' || trouble === 'address') {
    return problem(named, refused, trouble);
  }
  // The token check does not know account-owned tokens, which may still be valid.
  const second = await troubleWithLists(client);
  if (second !== undefined) {
    return problem(named, refused, second);
  }
  return {
    check: {
      subject: named.subject,
      status: 'unknown',
      message: 'the service accepts it, and does not say until when it is valid',
    },
    usable: true,
  };
}

/**
 * Returns what the service finds wrong with the credentials when they list zones, or accounts if the refusal of zones may only mean
 * a missing right.
 */
async function troubleWithLists(client: ReadClient): Promise<CredentialTrouble | undefined> {
  const zones = await troubleWith(() => pageOfScopes(client, 'zone', 1));
  return zones === 'doubtful' ? troubleWith(() => pageOfScopes(client, 'account', 1)) : zones;
}

async function troubleWith(ask: () => Promise<unknown>): Promise<CredentialTrouble | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    const trouble = isServiceError(error) ? credentialTrouble(error.status, error.errors) : undefined;
    if (trouble === undefined && !isServiceError(error, 403)) {
      throw error;
    }
    return trouble;
  }
}

function problem(
  { subject, variable }: NamedToken,
  error: ServiceError,
  trouble: CredentialTrouble,
): CredentialCheck {
  const says = error.errors.map(({ message }) => message).join('; ');
  const [message, hint] = TOKEN_PROBLEMS[trouble](variable);
  return {
    check: { subject, status: 'problem', message: says === '' ? message : `${message} (${says})`, hint },
    usable: false,
  };
}

const NOT_KNOWN = (variable: string): readonly [message: string, hint: string] => [
  'it is not valid: the service does not know it',
  `it is mistyped, revoked or expired: set ${variable} to a token that is active; a new one takes some seconds to be known everywhere`,
];

const TOKEN_PROBLEMS: Readonly<Record<CredentialTrouble, typeof NOT_KNOWN>> = {
  'malformed-token': (variable) => [
    'it is not valid: its form is not that of an API token',
    `set ${variable} to the bare value of an API token; an API key goes to CLOUDFLARE_API_KEY, with CLOUDFLARE_EMAIL`,
  ],
  'malformed-key': NOT_KNOWN,
  unknown: NOT_KNOWN,
  // A token that the token check does not know may be account-owned, but its requests for zones and accounts were refused too.
  doubtful: (variable) => [
    "it is not valid: the service does not know it as a user's token, and does not let it list zones or accounts",
    `it is mistyped, revoked or expired, or it is an account-owned token that may list neither zones nor accounts: set ${variable} to a token that is active and may read them`,
  ],
  address: (variable) => [
    'it cannot be used from the address of this machine',
    `add this address to those that the token in ${variable} allows, or run this from one of those`,
  ],
};

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

function judged(
  { status, expiresOn, notBefore }: TokenFacts,
  { subject, variable, now }: NamedToken,
): CredentialCheck {
  const left = expiresOn === null ? Infinity : (Date.parse(expiresOn) - now) / DAY_MS;
  const wait = notBefore === null ? 0 : Date.parse(notBefore) - now;
  const invalid =
    status !== 'active'
      ? `it is not valid: the service says that it is ${status}`
      : wait > 0 && notBefore !== null
        ? `it is not valid before ${notBefore}`
        : undefined;
  if (invalid !== undefined) {
    return {
      check: {
        subject,
        status: 'problem',
        message: invalid,
        hint: `set ${variable} to a token that is active`,
      },
      usable: false,
    };
  }
  const check: DoctorCheck =
    expiresOn === null
      ? { subject, status: 'good', message: 'valid, does not expire' }
      : left >= SOON_DAYS
        ? { subject, status: 'good', message: `valid until ${expiresOn}` }
        : {
            subject,
            status: 'warning',
            message: `valid until ${expiresOn} only`,
            hint: 'make a new token before that day',
          };
  return { check, usable: true };
}
