/**
 * Environment variables with the credentials of a run itself: of the service, of the forge, of the digests, of the proxy. Whoever may
 * change files must not thereby read them, so no file can make one of them a value.
 */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_API_KEY',
  'CLOUDFLARE_EMAIL',
  'RULEWRIGHT_PLAN_KEY',
  'RULEWRIGHT_WEBHOOK_URL',
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'GITLAB_TOKEN',
  'CI_JOB_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  // Their URLs may hold a password.
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'ALL_PROXY',
]);

/** Those that belong to the service, so that a scope may say that it uses them. */
const OF_SERVICE: ReadonlySet<string> = new Set(['CLOUDFLARE_API_TOKEN']);

/** Whether a variable holds a credential of the run. Case does not matter: on Windows the environment has none. */
export function isCredential(variable: string): boolean {
  return CREDENTIALS.has(variable.toUpperCase());
}

/** Whether a variable may hold the token of a scope: any, but for a credential of something else. */
export function mayHoldToken(variable: string): boolean {
  return !isCredential(variable) || OF_SERVICE.has(variable.toUpperCase());
}

const SECRET_WORD = /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|(?:^|_|API|ACCESS|PRIVATE)KEYS?(?:_|$)/;

/** Whether a variable is named as secrets are, so that its value is one unless somebody knows better. */
export function isNamedLikeSecret(variable: string): boolean {
  return SECRET_WORD.test(variable.toUpperCase());
}
