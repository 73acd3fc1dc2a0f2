import { baseUrlProblem } from '../model/base-url.ts';
import { RulewrightError } from '../model/error.ts';

/** Parses the base URL of the service, without trailing slashes. Throws `api/bad-base-url`. */
export function parseBaseUrl(text: string): URL {
  const problem = baseUrlProblem(text);
  if (problem !== undefined) {
    throw new RulewrightError(`the base URL cannot be used: ${problem}`, {
      code: 'api/bad-base-url',
      fault: 'user',
    });
  }
  const url = new URL(text);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
