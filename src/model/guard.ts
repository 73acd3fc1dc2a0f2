/** Kinds of guards that can be allowed: the words of `--allow` (design: planning, guard). */
export const ALLOWABLE_KINDS = [
  'deleted',
  'changed',
  'scopes',
  'emptied',
  'unnamed',
  'protected',
  'weakened',
  'every-request',
  'unprotected',
  'quota',
  'irreversible',
  'settings',
  'foreign',
  'incomplete',
] as const;

/** A kind of guard that can be allowed. */
export type AllowableKind = (typeof ALLOWABLE_KINDS)[number];

/**
 * Kinds that nothing allows: the service refuses what is `referenced` as well, another `account` is another's, and until its `migration` is
 * finished only that writes a zone's managed rules.
 */
const FINAL_KINDS = ['referenced', 'account', 'migration'] as const;

/** A kind of guard that nothing allows. */
export type FinalKind = (typeof FINAL_KINDS)[number];

/** All kinds of guards. */
export const GUARD_KINDS = [...ALLOWABLE_KINDS, ...FINAL_KINDS] as const;

/** A kind of guard. */
export type GuardKind = (typeof GUARD_KINDS)[number];

/** Whether what a guard of this kind refuses can be allowed. */
export function isAllowable(kind: GuardKind): kind is AllowableKind {
  return !FINAL_KINDS.some((final) => final === kind);
}

/** What `--allow` was given. */
export type AllowedKinds = readonly (AllowableKind | 'all')[];

/** Whether a kind is one of those that were allowed. */
export function isAllowed(kind: GuardKind, allowed: AllowedKinds): boolean {
  return isAllowable(kind) && (allowed.includes('all') || allowed.includes(kind));
}

/** What a guard found; `refuse` stops apply until the kind is allowed, where it can be. */
export interface GuardFinding {
  readonly kind: GuardKind;
  readonly effect: 'refuse' | 'warn';
  /** The step it is about; absent when it is about the whole scope. */
  readonly step?: string | undefined;
  readonly rule?: string;
  /** Of a rule the `ref` of which tells nothing. */
  readonly description?: string;
  /** What is found of the rule: the message without its place and name. */
  readonly reason?: string;
  readonly message: string;
}
