import { baseUrlProblem } from '../network/index.ts';

/** Checks a base URL; returns it as it was typed. */
export function httpUrl(text: string): string {
  const problem = baseUrlProblem(text);
  if (problem !== undefined) {
    throw new Error(problem);
  }
  return text;
}

/**
 * Returns the part of a typed base URL that may be shown: leaves out user, query and fragment, which may hold secrets. Of a text that may have one of
 * them and cannot be parsed, only the protocol is shown.
 */
export function shownUrl(text: string): string {
  if (!/[@?#]/.test(text)) {
    return text;
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol)
    ? `${url.origin}${url.pathname === '/' ? '' : url.pathname}…`
    : `${/^https?:\/\//i.exec(text)?.[0] ?? ''}…`;
}
