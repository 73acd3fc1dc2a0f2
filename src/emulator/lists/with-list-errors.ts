import { attempt, Refusal } from '../protocol/refusal.ts';

/** Reads a body; a body that does not decode is refused with the code for lists that public reports quote. */
export function withListErrors<T>(read: () => T): T {
  const body = attempt(read);
  if (!(body instanceof Refusal)) {
    return body;
  }
  const errors = body.errors.map((error) =>
    error.code === undefined && error.message.startsWith('invalid JSON') ? { ...error, code: 10026 } : error,
  );
  throw new Refusal(body.status, errors, body.extras);
}
