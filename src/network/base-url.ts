/** Returns what is wrong with a text as the base URL of the service, without quoting it: it may hold a password. Undefined if nothing is. */
export function baseUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    return 'expected a URL, such as https://api.cloudflare.com/client/v4';
  }
  if (url.username !== '' || url.password !== '') {
    return 'expected a URL without user name and password';
  }
  return url.search === '' && url.hash === '' ? undefined : 'expected a URL without query and fragment';
}
