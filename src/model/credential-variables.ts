/**
 * Environment variables with the credentials of a run itself: of the service, of the forge, of the digests, of the proxy. Whoever may
 * change files must not thereby read them, so no file can make one of them a value.
 */
const CREDENTIALS: ReadonlySet<string> = new Set([
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

/** Those of the service, whatever pipelines call them: `CLOUDFLARE_API_TOKEN`, `CLOUDFLARE_WRITE_TOKEN`. */
const OF_SERVICE = /^CLOUDFLARE_(?:EMAIL$|(?:\w+_)?(?:TOKEN|KEY)(?:_|$))/;

/** Such a variable, as long as it holds a token: a scope may say that it uses it. */
const TOKEN_OF_SERVICE = /^CLOUDFLARE_(?:\w+_)?TOKEN(?:_|$)/;

/** Whether a variable holds a credential of the run. Case does not matter: on Windows the environment has none. */
export function isCredential(variable: string): boolean {
  const name = variable.toUpperCase();
  return CREDENTIALS.has(name) || OF_SERVICE.test(name);
}

/** Whether a variable may hold the token of a scope: any, but for a credential of something else. */
export function mayHoldToken(variable: string): boolean {
  return !isCredential(variable) || TOKEN_OF_SERVICE.test(variable.toUpperCase());
}

const SECRET_WORD = /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|(?:^|_|API|ACCESS|PRIVATE)KEYS?(?:_|$)/;

/** Whether a variable is named as secrets are, so that its value is one unless somebody knows better. */
export function isNamedLikeSecret(variable: string): boolean {
  return SECRET_WORD.test(variable.toUpperCase());
}
