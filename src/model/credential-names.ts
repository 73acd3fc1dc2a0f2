/**
 * Words of names that hold what a client proves itself with: RFC 9110 (Authorization, Proxy-Authorization), 6265 (Cookie), 9449 (DPoP), and the names
 * in use by AWS, Azure, Google, Cloudflare Access, GitLab, Vault, Kong and others.
 */
const WORD =
  /^(?:[a-z]*auth[nz]?|authenti[a-z]*|authori[sz]ation|bearer|dpop|saml|assertion|[a-z]*jwt|[a-z]*tokens?|[a-z]*secrets?|[a-z]*passw(?:or)?d|pwd|passphrase|passcode|credentials?|sig|signature|session|[a-z]*sess(?:ion)?id|sid|(?:set)?cookies?2?|[cx]srf|[a-z]*(?:api|access|auth)key|otp|totp|mfa|pin|nonce|ticket)$/;

/** Names of keys that open nothing. */
const OPEN_KEY = /^(?:sec-websocket|.*(?:cache|surrogate|idempotency|partition|routing|public|sort))-key$/;

/** Names that only tell of credentials: how to log in, how many tokens of a budget are left, of what type one is. */
const ABOUT =
  /^(?:www|proxy)-authenticate$|rate-?limit|-(?:count|type|expires|expiry|ttl|length|limit|remaining|status|valid|present|method|version)$/;

/** Whether a header, cookie or parameter of this name holds a credential, as far as the name tells. */
export function isCredentialName(name: string): boolean {
  const lower = name.toLowerCase();
  if (ABOUT.test(lower)) {
    return false;
  }
  return (
    lower.split(/[^a-z\d]+/).some((word) => WORD.test(word)) ||
    (/(?:^|[-_])key$/.test(lower) && !OPEN_KEY.test(lower))
  );
}

/** Fields that hold cookies or tokens, or every header at once. */
const CREDENTIAL_FIELD = /\bhttp\.(?:cookie|request\.(?:cookies|jwt|headers\.values))\b/;

/** Whether a value expression reads what a visitor proves itself with. */
export function readsCredentials(expression: string): boolean {
  return (
    CREDENTIAL_FIELD.test(expression) ||
    // A name with an escape is not read.
    [...expression.matchAll(/\bheaders\s*\[\s*(?:r#*)?"([^"]*)"/g)].some(
      ([, name = '']) => name.includes('\\') || isCredentialName(name),
    )
  );
}
