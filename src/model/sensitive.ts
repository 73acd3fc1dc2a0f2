import { createHmac } from 'node:crypto';
import type { Environment } from './environment.ts';

/**
 * What stands for a sensitive value everywhere but in requests: the environment variable that holds it, and a digest that tells whether
 * it is still the same. No quotation mark, backslash or brace is in it, so that it can stand wherever its value can.
 */
interface SensitiveReference {
  readonly env: string;
  /** 32 hex characters; absent where the run had no key to make one. */
  readonly digest?: string;
}

/** The text of a reference. */
function formatReference({ env, digest }: SensitiveReference): string {
  return digest === undefined ? `<sensitive:${env}>` : `<sensitive:${env}:${digest}>`;
}

/** The digest of a value, keyed so that it cannot be guessed from values: HMAC-SHA-256, half of it, as hex. */
function sensitiveDigest(
  key: string,
  { env, value }: { readonly env: string; readonly value: string },
): string {
  return createHmac('sha256', key).update(`${env}\0${value}`).digest('hex').slice(0, 32);
}

/** The environment variable with the key of the digests. */
export const PLAN_KEY = 'RULEWRIGHT_PLAN_KEY';

/** The reference to an environment variable, with a digest where it is set and there is a key. */
export function referenceTo(env: string, environment: Environment): string {
  const value = environment[env];
  const key = environment[PLAN_KEY];
  const digest =
    value === undefined || value === '' || key === undefined || key === ''
      ? {}
      : { digest: sensitiveDigest(key, { env, value }) };
  return formatReference({ env, ...digest });
}

/** A sensitive value, and the text that stands for it. */
export interface SensitiveValue {
  readonly reference: string;
  readonly value: string;
}

/** What is shown in place of a text that a sensitive value replaces: that may be the value of before. */
export const HIDDEN = '<sensitive>';

/** What is shown in place of a text that nobody declared sensitive, and that looks like a secret all the same. */
export const SECRET_LIKE = '<looks like a secret>';

/** The same where such a text takes the place of another. */
export const OTHER_SECRET_LIKE = '<looks like another secret>';

const REFERENCE =
  /<sensitive(?::[A-Za-z_][A-Za-z0-9_]*(?::[0-9a-f]{32})?)?>|<looks like (?:a|another) secret>/gu;

/** The references in a text, and what stands for texts that are not shown. */
export function referencesIn(text: string): readonly string[] {
  return text.includes('<sensitive') || text.includes('<looks like')
    ? [...new Set(text.match(REFERENCE))]
    : [];
}

/** Whether a text has a reference: it says what nobody knows before it is sent. */
export function hasReference(text: string): boolean {
  return referencesIn(text).length > 0;
}

/** What a text says before, between and behind its references, at least one text; one alone where it has none. */
export function textsAround(text: string): readonly string[] {
  return text.split(REFERENCE);
}

/** All that stands for texts of which nothing else is known. */
export const HIDDEN_TEXTS: readonly string[] = [HIDDEN, SECRET_LIKE, OTHER_SECRET_LIKE];

/** Whether a part of a text is not shown. */
export function isHidden(text: string): boolean {
  return HIDDEN_TEXTS.some((mark) => text.includes(mark));
}

/** The environment variable of a reference. */
export function environmentOf(reference: string): string {
  return /^<sensitive:([A-Za-z0-9_]+)/u.exec(reference)?.[1] ?? '';
}

/** Whether a reference can be checked when its plan is carried out. */
export function hasDigest(reference: string): boolean {
  return /:[0-9a-f]{32}>$/u.test(reference);
}
