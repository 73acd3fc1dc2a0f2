import { attempt, Refusal, refuse, serviceError } from '../protocol/refusal.ts';

// The refusals of the Lists interface. Codes 10019 and 10053 are those of api.md 9.8; 10026 and 10031 and the 429 of
// an operation under way are quoted in public reports. Texts without a source are assumed.

/** No such list in this account. */
export function listNotFound(id: string): Refusal {
  return refuse(404, serviceError(`could not find list with ID ${id}`));
}

/** No such item in the list. */
export function itemNotFound(id: string, pointer?: string): Refusal {
  return refuse(
    pointer === undefined ? 404 : 400,
    serviceError(`could not find item with ID ${id}`, undefined, pointer),
  );
}

/** No such operation in this account. */
export function operationNotFound(id: string): Refusal {
  return refuse(404, serviceError(`could not find operation with ID ${id}`));
}

/** A second list of one name. */
export function nameTaken(name: string): Refusal {
  const message = `'${name}' is not a valid value for name because a list with this name already exists`;
  return refuse(409, serviceError(message, 10019, '/name'));
}

/** Deleting a list that an expression or a redirect names. */
export function listInUse(): Refusal {
  return refuse(400, serviceError('filters.api.ip_list_in_use', 10031));
}

/** A second change of items before the first one is done. */
export function operationPending(seconds: number): Refusal {
  const message = 'another operation on this list is still being processed';
  return refuse(429, serviceError(message, 10019), { headers: { 'retry-after': String(seconds) } });
}

/** More lists than the plan has. */
export function tooManyLists(kind: string, max: number): Refusal {
  return refuse(400, serviceError(`exceeded the maximum number of ${kind} lists: ${max}`));
}

/** A redirect whose source has a query. */
export function sourceWithQuery(): Refusal {
  return refuse(400, serviceError('source_url must not contain a query string', 10053));
}

/** Reads a body; one that does not decode has a code of its own here. */
export function withListErrors<T>(read: () => T): T {
  const body = attempt(read);
  if (!(body instanceof Refusal)) {
    return body;
  }
  const errors = body.errors.map((error) =>
    error.code === undefined && error.message.startsWith('invalid JSON') ? { code: 10026, ...error } : error,
  );
  throw refuse(body.status, errors, body.extras);
}
