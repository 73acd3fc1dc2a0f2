import { createHmac } from 'node:crypto';
import type { Environment } from './environment.ts';

/**
 * The reference that stands for a sensitive value everywhere but in requests: the environment variable that holds the value, and a digest to
 * check that the value is unchanged. Its text has no quotation mark, backslash or brace, so it can stand wherever the value can.
 */
interface SensitiveReference {
  readonly env: string;
  /** 32 hex characters; absent when the run had no key to compute it. */
  readonly digest?: string;
}

function formatReference({ env, digest }: SensitiveReference): string {
  return digest === undefined ? `<sensitive:${env}>` : `<sensitive:${env}:${digest}>`;
}

/** Returns the digest of a value: the first half of an HMAC-SHA-256, as hex; keyed, so that values cannot be guessed from it. */
function sensitiveDigest(
  key: string,
  { env, value }: { readonly env: string; readonly value: string },
): string {
  return createHmac('sha256', key).update(`${env}\0${value}`).digest('hex').slice(0, 32);
}

/** The environment variable that holds the key of the digests. */
export const PLAN_KEY = 'RULEWRIGHT_PLAN_KEY';

/** Returns the reference to an environment variable, with a digest if the variable is set and there is a key. */
export function referenceTo(env: string, environment: Environment): string {
  const value = environment[env];
  const key = environment[PLAN_KEY];
  const digest =
    value === undefined || value === '' || key === undefined || key === ''
      ? {}
      : { digest: sensitiveDigest(key, { env, value }) };
  return formatReference({ env, ...digest });
}

/** A sensitive value and its reference. */
export interface SensitiveValue {
  readonly reference: string;
  readonly value: string;
}

/** Whether an entry of `env` is about a sensitive value: what comes from a file or a command always is. */
export function isSensitiveEntry({
  sensitive,
  file,
  exec,
}: {
  readonly sensitive?: boolean | undefined;
  readonly file?: unknown;
  readonly exec?: unknown;
}): boolean {
  return sensitive === true || file !== undefined || exec !== undefined;
}

/** Shown in place of a text that a sensitive value replaces, which may be its previous value. */
export const HIDDEN = '<sensitive>';

/** Shown in place of a text that nobody declared sensitive but that looks like a secret. */
export const SECRET_LIKE = '<looks like a secret>';

/** Shown in place of a text that looks like a secret and replaces another one. */
export const OTHER_SECRET_LIKE = '<looks like another secret>';

const REFERENCE =
  /<sensitive(?::[A-Za-z_][A-Za-z0-9_]*(?::[0-9a-f]{32})?)?>|<looks like (?:a|another) secret>/gu;

/** Returns the references in a text, and the marks of hidden texts. */
export function referencesIn(text: string): readonly string[] {
  return text.includes('<sensitive') || text.includes('<looks like')
    ? [...new Set(text.match(REFERENCE))]
    : [];
}

/** Whether a text has a reference or a mark of a hidden text, so that its full value is not known before it is sent. */
export function hasReference(text: string): boolean {
  return referencesIn(text).length > 0;
}

/** Returns the parts of a text before, between and after its references; a text without references is the only part. */
export function textsAround(text: string): readonly string[] {
  return text.split(REFERENCE);
}

/** All marks of hidden texts, of which nothing else is known. */
export const HIDDEN_TEXTS: readonly string[] = [HIDDEN, SECRET_LIKE, OTHER_SECRET_LIKE];

/** Whether a part of a text is hidden. */
export function isHidden(text: string): boolean {
  return HIDDEN_TEXTS.some((mark) => text.includes(mark));
}

/** Returns the environment variable of a reference. */
export function environmentOf(reference: string): string {
  return /^<sensitive:([A-Za-z0-9_]+)/u.exec(reference)?.[1] ?? '';
}

/** Whether a reference has a digest, so that its value can be checked on apply. */
export function hasDigest(reference: string): boolean {
  return /:[0-9a-f]{32}>$/u.test(reference);
}
