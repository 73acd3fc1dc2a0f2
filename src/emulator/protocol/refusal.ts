/** One entry of `errors` in an answer (api.md 1.2). `code` is optional in the Rulesets interface. */
export interface RefusalError {
  readonly code?: number | undefined;
  readonly message: string;
  readonly source?: { readonly pointer: string } | undefined;
  readonly error_chain?: readonly RefusalError[] | undefined;
}

/** What a few refusals have in addition to status and errors. */
interface Extras {
  readonly headers?: Readonly<Record<string, string>>;
  /** The messages of the answer; a few old services send null when there are none (api.md 1.2). */
  readonly messages?: readonly unknown[] | null;
  /** Set when what was written before the refusal is kept (specification 4.2 rule 3). */
  readonly keeps?: true;
  /** Set when the body does not decode (api.md 0.3 number 10). */
  readonly undecoded?: true;
}

/** The details of a single error besides its message; what is not public is absent. */
interface Details extends Extras {
  readonly code?: number | undefined;
  /** A JSON pointer to the wrong place in the body. */
  readonly pointer?: string | undefined;
  readonly chain?: readonly RefusalError[];
}

/**
 * A request that the service declines: the HTTP status, and the errors of its envelope. A check throws it; it is caught
 * where work comes in (a request, a seed, a control endpoint), and what the work has written is undone.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly RefusalError[];
  readonly extras: Extras;

  constructor(status: number, errors: readonly RefusalError[], extras: Extras = {}) {
    super(errors.map(({ message }) => message).join('; '));
    this.name = 'Refusal';
    this.status = status;
    this.errors = errors;
    this.extras = extras;
  }
}

/** Makes a refusal with one error, for the caller to throw. */
export function refuse(
  status: number,
  message: string,
  { code, pointer, chain, ...extras }: Details = {},
): Refusal {
  const source = pointer === undefined ? undefined : { pointer };
  return new Refusal(status, [{ code, message, source, error_chain: chain }], extras);
}

/** Throws a refusal where an expression is needed. */
export function decline(refusal: Refusal): never {
  throw refusal;
}

/** Does a piece of work; returns its result, or the refusal that it threw. */
export function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) {
      return error;
    }
    throw error;
  }
}

// The two texts that most refusals have.

/** Makes the refusal of a value, `'<value>' is not a valid value for <field> because <reason>`, with its pointer (api.md 1.6). */
export function invalidValue(value: unknown, at: string, reason: string, code?: number): Refusal {
  const field = at.slice(at.lastIndexOf('/') + 1);
  const shown = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return refuse(400, `'${shown}' is not a valid value for ${field} because ${reason}`, { code, pointer: at });
}

/** Makes the refusal of an id that does not exist: 404 when the path names it, 400 when the body names it. */
export function notFound(what: string, id: string, pointer?: string): Refusal {
  return refuse(pointer === undefined ? 404 : 400, `could not find ${what} with ID ${id}`, { pointer });
}

// The gateway's refusals, with the codes and texts of api.md 1.5. What is marked as assumed there is also assumed here.

/** No credentials at all, or half a key pair. */
export function missingCredentials(): Refusal {
  return refuse(400, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers', { code: 9106 });
}

/** A credential header, or the content type, is malformed; the inner error says which. */
export function invalidHeader(chain: 'authorization' | 'email' | 'key' | 'contentType'): Refusal {
  return refuse(400, 'Invalid request headers', { code: 6003, chain: [HEADER_ERRORS[chain]] });
}

const HEADER_ERRORS = {
  authorization: { code: 6111, message: 'Invalid format for Authorization header' },
  email: { code: 6102, message: 'Invalid format for X-Auth-Email header' },
  key: { code: 6103, message: 'Invalid format for X-Auth-Key header' },
  contentType: { code: 6105, message: 'Invalid Content-Type header, valid values are application/json' },
} as const;

/** The token does not exist, is disabled or has expired. */
export function authenticationError(): Refusal {
  return refuse(403, 'Authentication error', { code: 10000 });
}

/** No user has this key pair. */
export function unknownKey(): Refusal {
  return refuse(403, 'Unknown X-Auth-Key or X-Auth-Email', { code: 9103 });
}

/** A zone or account that does not exist or that the credential may not see: the answer is the same for both. */
export function unauthorizedResource(): Refusal {
  return refuse(403, 'Unauthorized to access requested resource', { code: 9109 });
}

/** The credential lacks the permission group of the phase or family. */
export function notAuthorized(): Refusal {
  return refuse(403, 'request is not authorized');
}

/** The body is not JSON. */
export function malformedJson(): Refusal {
  return refuse(400, 'Malformed JSON in request body', { code: 6007 });
}

/** The body is larger than the service accepts (limit and code assumed). */
export function bodyTooLarge(): Refusal {
  return refuse(413, 'request body is too large');
}

/** No operation has this path. */
export function noRoute(path: string): Refusal {
  return new Refusal(400, [
    { code: 7003, message: `Could not route to ${path}, perhaps your object identifier is invalid?` },
    { code: 7000, message: 'No route for that URI' },
  ]);
}

/** The path exists, but not with this method. */
export function methodNotAvailable(method: string): Refusal {
  return refuse(405, `Method ${method} not available for that URI.`, { code: 7001 });
}

/** A query parameter has a value that the operation does not accept (code not public). */
export function badParameter(name: string, value: string, reason: string): Refusal {
  return refuse(400, `'${value}' is not a valid value for ${name} because ${reason}`);
}

/** The user's request budget is used up (api.md 1.7). */
export function budgetExceeded(
  budget: { readonly requests: number; readonly seconds: number },
  headers: Readonly<Record<string, string>>,
): Refusal {
  const message = `More than ${budget.requests} requests per ${budget.seconds} seconds reached. Please wait and consider throttling your request speed`;
  return refuse(429, message, { code: 10100, headers });
}

/** The request is for another host. The service itself never sees such a request; the emulator, on loopback, may. */
export function misdirected(host: string): Refusal {
  return refuse(403, `this service does not answer for the host '${host}'; --allow-host adds a host`);
}
