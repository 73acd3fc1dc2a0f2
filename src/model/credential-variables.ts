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

/** Wherever it stands in a name. */
const SECRET_WORD =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|CONN(?:ECTION)?_?STR(?:ING)?|(?:^|_)DSN(?:_|$)|(?:^|_|API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER|SSH)KEYS?(?:_|$)/;

/**
 * At the end, but for a number or a stage: `AUTH_HOST`, `COOKIE_DOMAIN` and `PASS_RATE` are ordinary values, as is `PWD`. The URLs of
 * stores and queues hold their password, those of webhooks are one.
 */
const SECRET_END =
  /(?:(?:^|_)(?:PASS|AUTH|AUTHORIZATION|BEARER|JWT|PAT|PEM|COOKIES?|SESSION(?:_?ID)?|WEBHOOKS?(?:_UR[IL])?)|_PWD|(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|MONGO(?:DB)?|REDIS|AMQP|RABBITMQ|SMTP|SENTRY)_UR[IL])(?:_?\d+|_(?:PROD(?:UCTION)?|STAG(?:E|ING)|DEV|TEST|OLD|NEW))?$/;

/** Whether a variable is named as secrets are, so that its value is one unless somebody knows better. */
export function isNamedLikeSecret(variable: string): boolean {
  const name = variable.toUpperCase();
  return SECRET_WORD.test(name) || SECRET_END.test(name);
}
