import { Refusal, refuse } from './refusal.ts';

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
