import { RulewrightError } from '../model/error.ts';

/**
 * Parses the base URL of the service, without trailing slashes. Throws `api/bad-base-url`, which does not quote the URL: it may contain a
 * password.
 */
export function parseBaseUrl(text: string): URL {
  if (!URL.canParse(text)) {
    throw badBaseUrl('is no URL');
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badBaseUrl(`starts with ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw badBaseUrl('holds a user name or a password');
  }
  if (url.search !== '' || url.hash !== '') {
    throw badBaseUrl('has a query or a fragment');
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function badBaseUrl(problem: string): RulewrightError {
  return new RulewrightError(`the base URL ${problem}`, {
    code: 'api/bad-base-url',
    fault: 'user',
    hint: 'give something like https://api.cloudflare.com/client/v4',
  });
}
