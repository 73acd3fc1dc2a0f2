import { type Refusal, refuse } from './refusal.ts';

// The gateway's refusals, with the codes and texts of api.md 1.5. What is marked assumed there is assumed here.

/** No credentials at all, or half a key pair. */
export function missingCredentials(): Refusal {
  return refuse(400, { code: 9106, message: 'Missing X-Auth-Key, X-Auth-Email or Authorization headers' });
}

/** A credential header, or the content type, whose form is wrong; the inner error says which. */
export function invalidHeader(chain: 'authorization' | 'email' | 'key' | 'contentType'): Refusal {
  return refuse(400, { code: 6003, message: 'Invalid request headers', error_chain: [HEADER_ERRORS[chain]] });
}

const HEADER_ERRORS = {
  authorization: { code: 6111, message: 'Invalid format for Authorization header' },
  email: { code: 6102, message: 'Invalid format for X-Auth-Email header' },
  key: { code: 6103, message: 'Invalid format for X-Auth-Key header' },
  contentType: { code: 6105, message: 'Invalid Content-Type header, valid values are application/json' },
} as const;

/** A token that nobody has, or one that is disabled or expired. */
export function authenticationError(): Refusal {
  return refuse(403, { code: 10000, message: 'Authentication error' });
}

/** A key pair that nobody has. */
export function unknownKey(): Refusal {
  return refuse(403, { code: 9103, message: 'Unknown X-Auth-Key or X-Auth-Email' });
}

/** A zone or account that does not exist or that the credential may not see: the answer is the same for both. */
export function unauthorizedResource(): Refusal {
  return refuse(403, { code: 9109, message: 'Unauthorized to access requested resource' });
}

/** The credential lacks the permission group of the phase or family. */
export function notAuthorized(): Refusal {
  return refuse(403, { message: 'request is not authorized' });
}

/** The body is not JSON. */
export function malformedJson(): Refusal {
  return refuse(400, { code: 6007, message: 'Malformed JSON in request body' });
}

/** The body is larger than the service reads (limit and code assumed). */
export function bodyTooLarge(): Refusal {
  return refuse(413, { message: 'request body is too large' });
}

/** No operation has this path. */
export function noRoute(path: string): Refusal {
  return refuse(400, [
    { code: 7003, message: `Could not route to ${path}, perhaps your object identifier is invalid?` },
    { code: 7000, message: 'No route for that URI' },
  ]);
}

/** The path exists, the method does not. */
export function methodNotAvailable(method: string): Refusal {
  return refuse(405, { code: 7001, message: `Method ${method} not available for that URI.` });
}

/** A query parameter with a value that the operation does not take (code not public). */
export function badParameter(name: string, value: string, reason: string): Refusal {
  return refuse(400, { message: `'${value}' is not a valid value for ${name} because ${reason}` });
}

/** The user's request budget is used up (api.md 1.7). */
export function budgetExceeded(
  budget: { readonly requests: number; readonly seconds: number },
  headers: Readonly<Record<string, string>>,
): Refusal {
  const message = `More than ${budget.requests} requests per ${budget.seconds} seconds reached. Please wait and consider throttling your request speed`;
  return refuse(429, { code: 10100, message }, { headers });
}
