import { assertNever } from '../data/index.ts';
import { shortened } from '../text/index.ts';
import type { RequestFacts, ServiceRequest, FailureReason, WireResult } from './request.ts';
import { isRead } from './request.ts';
import { ALTERED_IN_TRANSIT } from './response.ts';
import type { Body } from './body.ts';
import { MAX_RESPONSE_DEPTH } from './body.ts';
import { credentialTrouble, permissionHint } from './credentials.ts';
import type { ServiceErrorCode, ServiceErrorItem } from './service-error.ts';
import { ServiceError } from './service-error.ts';
import { WITHHELD_HINT } from './write-permit.ts';
import type { CredentialTrouble } from './credentials.ts';

/** Returns a hint about an unsuccessful answer; none where its own message is enough. */
function hintFor(
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
  if (trouble === 'doubtful' && isRead(request)) {
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

interface FailureText {
  readonly code: ServiceErrorCode;
  readonly says: (host: string) => string;
  readonly hint: string;
}

const FAILURES: Readonly<Record<FailureReason, FailureText>> = {
  unreachable: {
    code: 'api/unreachable',
    says: (host) => `no connection to ${host}`,
    hint: 'is the base URL right, and does something listen there?',
  },
  unresolved: {
    code: 'api/unreachable',
    says: (host) => `the name ${host} cannot be resolved`,
    hint: 'is the base URL right, and is there a network?',
  },
  proxy: {
    code: 'api/unreachable',
    says: (host) => `the proxy opens no way to ${host}`,
    hint: 'check HTTPS_PROXY with its user and password, and what the proxy allows; NO_PROXY names hosts that are reached directly',
  },
  tls: {
    code: 'api/tls',
    says: (host) => `no trusted connection to ${host}`,
    hint: 'for a certificate authority of your own set NODE_EXTRA_CA_CERTS; for a plain connection the base URL starts with http',
  },
  timeout: {
    code: 'api/timeout',
    says: (host) => `${host} did not answer in time`,
    hint: 'try again later',
  },
  lost: {
    code: 'api/connection-lost',
    says: (host) => `the connection to ${host} ended before the answer did`,
    hint: 'try again later',
  },
  'corrupt-body': {
    code: 'api/not-json',
    says: (host) => `the answer of ${host} cannot be unpacked`,
    hint: ALTERED_IN_TRANSIT,
  },
  'unsupported-encoding': {
    code: 'api/not-json',
    says: (host) => `the answer of ${host} is compressed in a way that was not asked for`,
    hint: ALTERED_IN_TRANSIT,
  },
  'too-large': {
    code: 'api/not-json',
    says: (host) => `the answer of ${host} is larger than any answer of the service`,
    hint: 'is the base URL that of the service?',
  },
  'foreign-reference': {
    code: 'sensitive/foreign-reference',
    says: (host) => `${host} holds a text that looks like a reference to a sensitive value`,
    hint: 'look for `<sensitive` in the rules of this zone or account, and take it out',
  },
  withheld: { code: 'apply/not-held', says: () => 'not sent', hint: WITHHELD_HINT },
  aborted: { code: 'api/aborted', says: () => 'stopped', hint: 'run it again when you are ready' },
};

/** Returns the error for a request without a complete response. */
export function brokenError(
  request: ServiceRequest,
  about: {
    readonly facts: RequestFacts;
    readonly result: Extract<WireResult, { readonly kind: 'broken' }>;
    readonly host: string;
  },
): ServiceError {
  const { facts, result, host } = about;
  const { code, says, hint } = FAILURES[result.reason];
  const effect = isRead(request) || !result.sent ? 'none' : 'unknown';
  return new ServiceError(
    `${subject(facts)}: ${says(host)} (${result.detail})${uncertainty(effect, request)}`,
    {
      ...facts,
      code,
      status: null,
      errors: [],
      effect,
      hint,
    },
  );
}

/** Returns the error for a request that was answered, but not with success. */
export function refusedError(
  request: ServiceRequest,
  about: {
    readonly facts: RequestFacts;
    readonly status: number;
    /** Where a redirect leads. */
    readonly location: string | null;
    readonly body: Body;
    /** The media type of the body; null when the answer names none. */
    readonly contentType: string | null;
    readonly tooLong: number | null;
  },
): ServiceError {
  const { facts, status, body, location, contentType, tooLong } = about;
  const errors = body.kind === 'envelope' ? body.errors : [];
  const trouble = body.kind === 'envelope' ? credentialTrouble(status, errors) : undefined;
  const code = trouble === undefined || trouble === 'doubtful' ? codeOf(status, body) : 'api/unauthorized';
  const effect = isRead(request) || refusedOutright(status) ? 'none' : 'unknown';
  const text =
    code === 'api/redirected' ? ` to ${location ?? 'nowhere'}` : described(body, errors, contentType);
  return new ServiceError(`${subject(facts)}: ${status}${text}${uncertainty(effect, request)}`, {
    ...facts,
    code,
    status,
    errors,
    effect,
    ...hintFor({ code, trouble, tooLong, errors, isForeign: body.kind !== 'envelope' }, request),
  });
}

/** Whether a status proves that nothing was done: a 4xx does, except 408, a time-out on the service's side. */
function refusedOutright(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

function codeOf(status: number, body: Body): ServiceErrorCode {
  if (status < 300) {
    return body.kind === 'other'
      ? 'api/not-json'
      : body.kind === 'envelope' && body.success === false
        ? 'api/unsuccessful'
        : 'api/unexpected-answer';
  }
  if (status < 400) {
    return 'api/redirected';
  }
  if (status >= 500) {
    return 'api/server-error';
  }
  // Only the service itself can refuse or miss something; a gateway or a login page in between says so in pages of its own.
  if (body.kind !== 'envelope' && status !== 429) {
    return 'api/not-json';
  }
  return BY_STATUS.get(status) ?? 'api/refused';
}

const BY_STATUS: ReadonlyMap<number, ServiceErrorCode> = new Map([
  [403, 'api/forbidden'],
  [404, 'api/not-found'],
  [429, 'api/rate-limited'],
]);

function subject(facts: RequestFacts): string {
  return `${facts.method} ${facts.path}${facts.attempts > 1 ? ` (${facts.attempts} attempts)` : ''}`;
}

/** Returns a note about an unknown effect. A dry run needs none: it is sent only to a service that has proven to write nothing then. */
function uncertainty(effect: 'none' | 'unknown', { query }: ServiceRequest): string {
  return effect === 'unknown' && query?.['dry_run'] === undefined
    ? '; whether it had an effect is not known'
    : '';
}

function described(body: Body, errors: readonly ServiceErrorItem[], contentType: string | null): string {
  switch (body.kind) {
    case 'empty':
      return ' with an empty body';
    case 'other': {
      const type = contentType === null ? '' : ` (${shortened(contentType, 60)})`;
      return ` with ${pageKind(body.text)}${type} instead of an answer of the service: ${JSON.stringify(excerpt(body.text))}`;
    }
    case 'too-deep':
      return `, but its answer is nested deeper than ${MAX_RESPONSE_DEPTH} levels`;
    case 'envelope':
      return errors.length === 0 ? ' without a reason' : ` ${errors.map(itemText).join('; ')}`;
    default:
      return assertNever(body);
  }
}

function itemText({ code, message, pointer }: ServiceErrorItem): string {
  return `${message}${code === undefined ? '' : ` (${code})`}${pointer === undefined ? '' : ` at ${pointer}`}`;
}

/** Says what a body that is no answer of the service looks like. */
function pageKind(text: string): string {
  const start = text.slice(0, 20_000);
  if (!/<[a-z!]/iu.test(start)) {
    return 'text';
  }
  return /type=["']?password|\b(?:sign|log)[ -]?(?:in|on)\b|single sign-on/iu.test(start)
    ? 'a login page'
    : 'a web page';
}

/** Returns the words of an HTML page without its tags, cut to at most 120 characters. */
function excerpt(text: string): string {
  const words = text
    .slice(0, 4000)
    .replaceAll(/<(style|script)[^>]*>[^<]*/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return shortened(words, 120);
}
