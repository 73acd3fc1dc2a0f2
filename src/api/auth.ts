import type { Dispatch } from './dispatch.ts';

/** Adds the headers that say who asks. What lies further out never sees them. */
export function withCredentials(
  dispatch: Dispatch,
  authorisation: Readonly<Record<string, string>>,
): Dispatch {
  return (request) => dispatch({ ...request, headers: { ...request.headers, ...authorisation } });
}
