/**
 * Environment variables that hold credentials of the run itself: for the service, the forge, the digests and the proxy. Whoever may change
 * files must not be able to read them that way, so no file can use one of them as a value.
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

/** Credentials of the service, whatever name a pipeline gives them: `CLOUDFLARE_API_TOKEN`, `CLOUDFLARE_WRITE_TOKEN`. */
const OF_SERVICE = /^CLOUDFLARE_(?:EMAIL$|(?:\w+_)?(?:TOKEN|KEY)(?:_|$))/;

/** Variables that hold a token of the service; a scope may name one as its token. */
const TOKEN_OF_SERVICE = /^CLOUDFLARE_(?:\w+_)?TOKEN(?:_|$)/;

/** Whether a variable holds a credential of the run. Case is ignored, since environment names on Windows are case-insensitive. */
export function isCredential(variable: string): boolean {
  const name = variable.toUpperCase();
  return CREDENTIALS.has(name) || OF_SERVICE.test(name);
}

/** Whether a scope may name this variable as its token: any variable except credentials that are not a token of the service. */
export function mayHoldToken(variable: string): boolean {
  return !isCredential(variable) || TOKEN_OF_SERVICE.test(variable.toUpperCase());
}

/** Words that mark a secret anywhere in a variable's name. */
const SECRET_WORD =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|CONN(?:ECTION)?_?STR(?:ING)?|(?:^|_)DSN(?:_|$)|(?:^|_|API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER|SSH)KEYS?(?:_|$)/;

/**
 * Words that mark a secret at the end of a name, optionally followed by a number or a stage: `AUTH_HOST`, `COOKIE_DOMAIN` and `PASS_RATE` are
 * ordinary values, as is `PWD`. URLs of stores and queues contain their password; webhook URLs are secrets themselves.
 */
const SECRET_END =
  /(?:(?:^|_)(?:PASS|AUTH|AUTHORIZATION|BEARER|JWT|PAT|PEM|COOKIES?|SESSION(?:_?ID)?|WEBHOOKS?(?:_UR[IL])?)|_PWD|(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|MONGO(?:DB)?|REDIS|AMQP|RABBITMQ|SMTP|SENTRY)_UR[IL])(?:_?\d+|_(?:PROD(?:UCTION)?|STAG(?:E|ING)|DEV|TEST|OLD|NEW))?$/;

/** Last words of a name that say what the value is: not the secret, but where one is found, or how many there may be. */
const NOT_ITSELF =
  /(?:^|_)(?:HEADER|COOKIE|FIELD|PARAM(?:ETER)?|ARG(?:UMENT)?|NAME|PATH|PREFIX|SUFFIX|PATTERN|REGEX|HOST|DOMAIN|ENDPOINT|LIMIT|PERIOD|TTL|COUNT|REF|MESSAGE|DESCRIPTION|LIST|EXPRESSION|CACHE_?KEY)S?$/;

/** Whether the name of a variable of the files, unlike one of the environment, says that its value is a secret. */
export function namesSecret(variable: string): boolean {
  return isNamedLikeSecret(variable) && !NOT_ITSELF.test(variable.toUpperCase());
}

/** Whether a variable's name suggests a secret, so that its value is treated as one unless declared otherwise. */
export function isNamedLikeSecret(variable: string): boolean {
  const name = variable.toUpperCase();
  return SECRET_WORD.test(name) || SECRET_END.test(name);
}
