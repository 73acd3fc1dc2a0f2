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
