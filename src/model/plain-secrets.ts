import { isCredentialName } from './credential-names.ts';
import { headerRewrites } from './header-rewrites.ts';
import { phaseFacts } from './phases.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { isJsonArray, isJsonObject } from '../data/index.ts';
import { referencesIn } from './sensitive.ts';

/**
 * Environment variables that hold credentials of the run itself: for the service, the forge, the digests and the proxy. Whoever may change
 * files must not be able to read them that way, so no file can use one of them as a value.
 */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'RULEWRIGHT_PLAN_KEY',
  'RULEWRIGHT_WEBHOOK_URL',
  'RULEWRIGHT_WATCH_SECRET',
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

/** Variables that say where requests of a run go, what it runs for, and how its results look. */
const STEERING =
  /^(?:CLOUDFLARE_BASE_URL|NO_PROXY|NO_COLOR|FORCE_COLOR|TERM|COLUMNS|(?:RULEWRIGHT|GITHUB|GITLAB|CI|ACTIONS|KUBERNETES)_\w+)$/;

/** Whether a variable steers the run itself. */
export function steersRun(variable: string): boolean {
  return STEERING.test(variable.toUpperCase());
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

/** A secret in a text that is recognised by its form. */
export interface ShapedSecret {
  /** The kind of secret, such as `a GitHub token`. */
  readonly what: string;
  readonly text: string;
}

/**
 * Forms that identify a secret wherever it stands; if the form has a group, the group is the secret. Ids, digests and fingerprints in
 * hexadecimal are ordinary values here.
 */
const SHAPES: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a URL with a password', /:\/\/([^\s/?#:@"'\\]{0,128}:[^\s/?#@"'\\]{3,256})@/g],
  ['a JSON Web Token', /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]+)?/g],
  [
    'a private key',
    /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z\d ]{0,40}PRIVATE KEY-----|$)/g,
  ],
  ['a GitHub token', /\b(?:gh[oprsu]_[A-Za-z\d]{20,}|github_pat_\w{20,})/g],
  ['a GitLab token', /\bgl(?:agent|cbt|dt|ft|oas|pat|ptt|rt|soat)-[\w-]{16,}/g],
  ['a Slack token', /\bx(?:ox[a-z]|app)-[A-Za-z\d-]{10,}/g],
  [
    'the address of a webhook',
    /(?:hooks\.slack\.com\/(?:services|triggers|workflows)|discord(?:app)?\.com\/api\/webhooks|\.webhook\.office\.com\/webhookb2)\/([\w/@-]{10,})/g,
  ],
  ['a key of AWS', /\bA(?:KIA|SIA)[A-Z\d]{16}\b/g],
  ['a key of Google', /\bAIza[\w-]{35}/g],
  ['a key of Stripe', /\b[rs]k_(?:live|test)_[A-Za-z\d]{10,}/g],
  [
    'an API token',
    /\b(?:npm_[A-Za-z\d]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|hvs\.[\w-]{20,}|dop_v1_[a-f\d]{32,}|sk-(?:ant|or|proj)-[\w-]{16,})/g,
  ],
  ['credentials of a request', /\b(?:Basic|Bearer) (?=[A-Za-z+/._~-]{0,200}[\d=])[\w+/.~-]{8,}={0,2}/g],
];

/** Matches a part of every form in `SHAPES`: most texts have none and are rejected in one pass. */
const SIGNS =
  /:\/\/|eyJ|PRIVATE KEY|gh[oprsu]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|hooks\.slack|discord|webhookb2|AKIA|ASIA|AIza|_live_|_test_|npm_|SG\.|hvs\.|dop_v1_|sk-|Basic |Bearer /;

/** Finds the secrets in a text that are recognised by their form, in the order of `SHAPES`. */
export function shapedSecrets(text: string): readonly ShapedSecret[] {
  return SIGNS.test(text)
    ? SHAPES.flatMap(([what, shape]) =>
        [...text.matchAll(shape)].map(([whole, part]) => ({ what, text: part ?? whole })),
      )
    : [];
}

const RANDOM = /^[\w+-][\w+/-]{30,}={0,2}$/;

/** Whether a whole text looks random: long, and with frequent changes between lower case, upper case and digits. */
export function isLikeRandom(text: string): boolean {
  if (!RANDOM.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) {
    return false;
  }
  const changes = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g) ?? [];
  return changes.length * 3 >= text.length;
}

/** A part of a request that may hold a secret. */
interface RequestPart {
  readonly name: string;
  /** The same, worded as the beginning of a sentence. */
  readonly what: string;
}

/** A text that an expression compares with something, or passes to a function. */
interface UsedText {
  readonly text: string;
  /** The header, cookie or parameter that the same clause names before it. */
  readonly part: RequestPart | undefined;
  /** Whether the text may be only a part of the value. */
  readonly isPart: boolean;
  readonly isPattern: boolean;
}

/** The parts of a request that an expression can compare with a secret. */
const HOLDERS: ReadonlyMap<string, string> = new Map([
  ['headers', 'header'],
  ['cookies', 'cookie'],
  ['uri.args', 'parameter'],
  ['body.form', 'parameter'],
]);

/** A name in square brackets, a quoted text, or what joins two clauses. */
const TOKEN =
  /\[\s*(?:r"(?<rawName>[^"]*)"|"(?<name>(?:[^"\\]|\\.)*)")\s*\]|\br(?<marks>#*)"(?<raw>[^]*?)"\k<marks>|"(?<text>(?:[^"\\]|\\.)*)"|(?<join>\b(?:and|or|xor)\b|&&|\|\||\^\^)/g;

const HOLDER = /(headers|cookies|uri\.args|body\.form)\s*$/;
const PARTIAL = /\b(?:contains|starts_with|ends_with)\b/;
/** Functions whose first argument is the key of a signature (rules-language.md). */
const KEYED = /\b(is_timed_hmac_valid_v0)\s*\(\s*$/;
const PATTERN = /\b(?:matches|wildcard)\b|~/;

/**
 * Returns the texts that an expression uses, in their order. It only looks for quotes and for what joins clauses, so that it
 * also works for expressions that are not valid.
 */
function usedTexts(expression: string): readonly UsedText[] {
  const used: UsedText[] = [];
  let part: RequestPart | undefined;
  let code = '';
  let end = 0;
  for (const { index, 0: token, groups = {} } of expression.matchAll(TOKEN)) {
    const before = expression.slice(end, index);
    end = index + token.length;
    code += before;
    const { rawName, name = rawName, raw, text, join } = groups;
    if (join !== undefined) {
      [part, code] = [undefined, ''];
    } else if (name !== undefined) {
      const holder = HOLDERS.get(HOLDER.exec(before.slice(-40))?.[1] ?? '');
      part = holder === undefined ? part : { name, what: `the value of the ${holder} ${name}` };
    } else {
      const keyed = KEYED.exec(before.slice(-60))?.[1];
      const key = keyed === undefined ? undefined : { name: 'hmac-key', what: `the key of ${keyed}` };
      used.push({
        text: raw ?? text ?? '',
        part: key ?? part,
        isPart: key === undefined && PARTIAL.test(code),
        isPattern: PATTERN.test(code),
      });
    }
  }
  return used;
}

/** A text that a rule holds in clear and that looks like a secret. */
export interface PlainSecret {
  /** Keys that lead from the rule to the text. */
  readonly path: readonly (string | number)[];
  /** What holds the secret, such as the name of a header; else what kind of secret it is. */
  readonly name: string;
  /** The same, worded as the beginning of a sentence. */
  readonly what: string;
  /** The secrets themselves. */
  readonly texts: readonly string[];
}

/** Shorter texts could not be a sensitive variable, and are more likely words such as `none`. */
const SHORTEST = 8;

/** A host name only says where a request goes, whatever header holds it. */
const HOST_NAME = /^(?:[a-z\d-]{1,63}\.)+[a-z]{2,24}$/i;

/**
 * Finds the secrets that a rule shares with the origin or its callers, as far as names and forms tell: values of request headers that the rule
 * sets, values that requests are compared with, and texts anywhere that have the form of a secret. Response headers are public.
 */
export function plainSecrets(phase: string, rule: JsonObject): readonly PlainSecret[] {
  const named = [...givenHeaders(phase, rule), ...comparedIn(rule)];
  const known = named.flatMap(({ texts }) => texts);
  const shaped = shapedIn(rule, []).filter(
    ({ texts }) => !texts.every((text) => known.some((one) => one.includes(text))),
  );
  return [...named, ...shaped];
}

/**
 * Returns the texts of a rule that look like secrets, longest first since one may be part of another. Texts within the rule's action are
 * excluded: the action has to be visible wherever the rule is shown.
 */
export function secretTexts(phase: string, rule: JsonObject): readonly string[] {
  const action = typeof rule['action'] === 'string' ? rule['action'] : '';
  const texts = new Set(plainSecrets(phase, rule).flatMap(({ texts }) => texts));
  return [...texts].filter((text) => !action.includes(text)).sort((a, b) => b.length - a.length);
}

/** A word, or some: what the service calls things, and no secret. */
const WORDS = /^[a-z]+(?:_[a-z]+)*$/;

/**
 * Returns the texts of a rule that a header, a cookie or a parameter is given or compared with, whatever its name: for rules of which nobody can tell
 * whether they had a secret. Without short texts, words and host names.
 */
export function comparedValues(phase: string, rule: JsonObject): readonly string[] {
  const { expression, ratelimit, action_parameters: parameters } = rule;
  const counting = isJsonObject(ratelimit) ? ratelimit['counting_expression'] : undefined;
  const given = phaseFacts(phase)?.rewrites === 'response-headers' ? [] : headerRewrites(parameters);
  return [
    ...[expression, counting].flatMap((one) =>
      typeof one === 'string'
        ? usedTexts(one).flatMap(({ part, text }) => (part === undefined ? [] : [text]))
        : [],
    ),
    ...given.flatMap(({ value, expression: said }) => [
      ...(value === undefined ? [] : [value]),
      ...(said === undefined ? [] : usedTexts(said).map(({ text }) => text)),
    ]),
  ].filter((text) => text.length >= SHORTEST && !WORDS.test(text) && !HOST_NAME.test(text) && isPlain(text));
}

/** Values that only say where something is. */
const PLACE = /^\/|^[\w.-]*\.\w+\[/;

/**
 * Returns what kind of secret a value of a variable is, by the variable's name or its own form; undefined for others. A value that names other
 * variables is judged where those are declared.
 */
export function plainVariable(name: string, text: string): string | undefined {
  const [shaped] = shapedSecrets(text);
  if (!isPlain(text)) {
    return undefined;
  }
  if (shaped !== undefined || isLikeRandom(text)) {
    return shaped?.what ?? 'a secret';
  }
  const isNamed = namesSecret(name) && text.length >= SHORTEST && !HOST_NAME.test(text) && !PLACE.test(text);
  return isNamed ? 'a secret, by its name' : undefined;
}

function givenHeaders(phase: string, { action_parameters: parameters }: JsonObject): readonly PlainSecret[] {
  if (phaseFacts(phase)?.rewrites === 'response-headers') {
    return [];
  }
  return headerRewrites(parameters).flatMap(({ name, value, expression }) => {
    const what = `the value of the header ${name}`;
    const path = ['action_parameters', 'headers', name];
    return [
      ...found(value === undefined ? [] : [value], { path: [...path, 'value'], name, what }),
      ...found(literalsIn(expression), { path: [...path, 'expression'], name, what }),
    ];
  });
}

function comparedIn(rule: JsonObject): readonly PlainSecret[] {
  const { expression, ratelimit } = rule;
  const counting = isJsonObject(ratelimit) ? ratelimit['counting_expression'] : undefined;
  return [
    ...comparedTexts(expression, ['expression']),
    ...comparedTexts(counting, ['ratelimit', 'counting_expression']),
  ];
}

function comparedTexts(expression: JsonValue | undefined, path: PlainSecret['path']): readonly PlainSecret[] {
  return typeof expression === 'string'
    ? usedTexts(expression).flatMap(({ part, text, isPart, isPattern }) => [
        ...(part === undefined || isPattern || (isPart && (COOKIES.test(part.name) || isWord(text)))
          ? []
          : found([text], { path, ...part })),
        ...(isPattern ? [] : pairsIn(text, path)),
      ])
    : [];
}

/** Names of headers that hold many values, each with a name of its own. */
const COOKIES = /^(?:set-)?cookie$/i;

/** How credentials begin that a header holds. */
const SCHEME = /^(?:basic|bearer|digest|negotiate|ntlm|hawk|aws4-hmac-sha\d+)\b\s*$/i;

/** Whether a text that a value is searched for is more likely a word than a part of a secret. */
function isWord(text: string): boolean {
  return SCHEME.test(text) || !(/\d/.test(text) && /[a-z]/i.test(text));
}

/** A name with its value, as in cookies, queries and forms. */
const PAIR = /(?:^|[?&;,\s])(?<name>[\w.-]{1,100})=(?<value>[^&;,\s"\\]{8,})/g;

function pairsIn(text: string, path: PlainSecret['path']): readonly PlainSecret[] {
  return [...text.matchAll(PAIR)].flatMap(({ groups: { name = '', value = '' } = {} }) =>
    isWord(value) ? [] : found([value], { path, name, what: `the value of ${name}` }),
  );
}

function literalsIn(expression: JsonValue | undefined): readonly string[] {
  return typeof expression === 'string'
    ? usedTexts(expression).flatMap(({ text, isPattern }) => (isPattern ? [] : [text]))
    : [];
}

/** Keeps the texts that count as secrets because of their holder's name or because they look random. */
function found(all: readonly string[], holder: Omit<PlainSecret, 'texts'>): readonly PlainSecret[] {
  const texts = all.filter(
    (text) =>
      isPlain(text) &&
      ((isCredentialName(holder.name) && text.length >= SHORTEST && !HOST_NAME.test(text)) ||
        isLikeRandom(text)),
  );
  return texts.length === 0 ? [] : [{ ...holder, texts }];
}

function shapedIn(value: JsonValue, path: PlainSecret['path']): readonly PlainSecret[] {
  if (typeof value === 'string') {
    return shapedSecrets(value).flatMap(({ what, text }) =>
      isPlain(text) ? [{ path, name: what, what, texts: [text] }] : [],
    );
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => shapedIn(item, [...path, index]));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, member]) => shapedIn(member, [...path, key]))
    : [];
}

/** Whether a text contains no variable and no reference to a sensitive value, so that it is written in clear. */
function isPlain(text: string): boolean {
  return !text.includes('${') && referencesIn(text).length === 0;
}
