/** A secret that a text shows by its form. */
export interface ShapedSecret {
  /** What it is, such as `a GitHub token`. */
  readonly what: string;
  readonly text: string;
}

/**
 * Forms that say what they are, whatever holds them; of one in parentheses, that part is the secret. Ids, digests and fingerprints in
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

/** How each of them begins, or what it has: most texts have none, and are looked through once. */
const SIGNS =
  /:\/\/|eyJ|PRIVATE KEY|gh[oprsu]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|hooks\.slack|discord|webhookb2|AKIA|ASIA|AIza|_live_|_test_|npm_|SG\.|hvs\.|dop_v1_|sk-|Basic |Bearer /;

/** The secrets that a text shows by their form, in the order of forms. */
export function shapedSecrets(text: string): readonly ShapedSecret[] {
  return SIGNS.test(text)
    ? SHAPES.flatMap(([what, shape]) =>
        [...text.matchAll(shape)].map(([whole, part]) => ({ what, text: part ?? whole })),
      )
    : [];
}

const RANDOM = /^[\w+-][\w+/-]{30,}={0,2}$/;

/** Whether a whole text looks drawn by lot: long, and from one kind of letter to another every few. */
export function isLikeRandom(text: string): boolean {
  if (!RANDOM.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) {
    return false;
  }
  const changes = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g) ?? [];
  return changes.length * 3 >= text.length;
}
