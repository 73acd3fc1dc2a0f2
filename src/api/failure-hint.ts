import type { CredentialTrouble } from './credential-trouble.ts';
import { permissionHint } from './permission.ts';
import type { ServiceRequest } from './request.ts';
import type { ServiceErrorCode, ServiceErrorItem } from './service-error.ts';

/** Returns a hint about an unsuccessful answer; none where its own message is enough. */
export function hintFor(
  about: {
    readonly code: ServiceErrorCode;
    readonly trouble: CredentialTrouble | undefined;
    readonly tooLong: number | null;
    readonly errors: readonly ServiceErrorItem[];
    /** Whether the answer is no answer of the service, but a page or a text of something in between. */
    readonly isForeign: boolean;
  },
  request: ServiceRequest,
): { hint?: string } {
  const { code, trouble, tooLong, errors, isForeign } = about;
  if (isForeign && code === 'api/rate-limited') {
    return {
      hint: 'a gateway or proxy in between limits requests, not the service: try again later, or with --budget 0.5',
    };
  }
  if (tooLong !== null) {
    const seconds = Math.ceil(tooLong / 1000);
    return {
      hint: `the service asks to wait ${seconds} s, which is longer than a run waits: run it again after that`,
    };
  }
  if (trouble !== undefined && trouble !== 'doubtful') {
    return { hint: CREDENTIAL_HINTS[trouble] };
  }
  // A write follows a read with the same credentials, so they are known to be valid.
  if (trouble === 'doubtful' && request.method === 'GET') {
    return { hint: `${permissionHint(request)}; ${DOUBT}` };
  }
  if (ALWAYS_THERE.has(request.path) && errors.some(({ code }) => code === NO_ROUTE)) {
    return { hint: 'is the base URL whole, such as https://api.cloudflare.com/client/v4?' };
  }
  const hint = code === 'api/forbidden' ? permissionHint(request) : HINTS[code];
  return hint === undefined ? {} : { hint };
}

const NOT_THE_SERVICE =
  'a gateway, a proxy or a login page answered, not the service, so this says nothing about the permissions of the token: check the base URL and HTTPS_PROXY, and whether the network lets this machine reach the service';

const HINTS: Readonly<Partial<Record<ServiceErrorCode, string>>> = {
  'api/not-found': 'check the id; what the token cannot see is not found either',
  'api/rate-limited':
    'somebody else is using the same request limit: wait five minutes, or leave them more of it with --budget 0.5',
  'api/server-error': 'the problem is at the service, or in between: try again later',
  'api/redirected': 'redirects are not followed, because they would get the credentials: check the base URL',
  'api/not-json': NOT_THE_SERVICE,
  'api/unexpected-answer': 'is the base URL that of the service, without a proxy or login page in between?',
};

/** Hints about rejected credentials. They name the environment variable, never its value. */
const CREDENTIAL_HINTS: Readonly<Record<Exclude<CredentialTrouble, 'doubtful'>, string>> = {
  'malformed-token':
    'that is not an API token: CLOUDFLARE_API_TOKEN (or what token_env names) takes the bare value; an API key goes to CLOUDFLARE_API_KEY, with CLOUDFLARE_EMAIL',
  'malformed-key':
    'check CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY; an API token goes to CLOUDFLARE_API_TOKEN instead',
  unknown:
    'the service does not recognise the credentials: what CLOUDFLARE_API_TOKEN (or token_env, or CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY) holds is mistyped, revoked or expired',
  address:
    'the token can be used only from certain addresses: run this from one of them, or add this one to the token',
};

const DOUBT =
  'a token that is mistyped, revoked or expired gets the same answer: rulewright doctor says which it is';

/** “No route for that URI” (api.md 1.5): for a path that always exists, this means that the base URL is wrong. */
const NO_ROUTE = 7000;
const ALWAYS_THERE: ReadonlySet<string> = new Set(['/zones', '/accounts', '/user/tokens/verify']);
