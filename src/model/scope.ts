/** The two kinds of scope that hold rulesets. */
export type ScopeKind = 'zone' | 'account';

/** A zone or an account as the service knows it. */
export interface Scope {
  readonly kind: ScopeKind;
  /** 32 lower-case hex characters. */
  readonly id: string;
  /**
   * The name used in reports and usable in files: the service's name; for a zone whose name exists in several accounts, together with the
   * account.
   */
  readonly name: string;
  /** Id of the account that holds the zone; for an account its own id. */
  readonly accountId: string;
  /** The service's word for a zone's plan level (`plan.legacy_id`, api.md 13.4), where it said one. */
  readonly plan?: string;
}

/** A scope as a file names it: by name or by id. */
export interface ScopeRef {
  readonly kind: ScopeKind;
  /** As in the file: a name, for a zone optionally with its account (`zoneName`), or 32 hex characters. */
  readonly name: string;
}

/** The parts of a zone's name: the service's name, and the account when zones of several accounts have that name. */
export interface ZoneName {
  readonly bare: string;
  /** Id of the account; null when the name contains none. */
  readonly account: string | null;
}

/** Returns the name of a scope for comparison: that of a zone in lower case, since DNS names are case-insensitive. */
export function foldedName({ kind, name }: ScopeRef): string {
  return kind === 'zone' ? name.toLowerCase() : name;
}

/** Splits the name of a zone: `shop.example` or `shop.example@0123…`. The name of an account is never split. */
export function zoneName({ kind, name }: ScopeRef): ZoneName {
  const [, bare, account] = (kind === 'zone' ? /^(.+)@([0-9a-f]{32})$/s.exec(name) : null) ?? [];
  return bare === undefined || account === undefined ? { bare: name, account: null } : { bare, account };
}

/** Returns the name of a zone with its account, as `zoneName` reads it. */
export function nameInAccount({ name, accountId }: Pick<Scope, 'name' | 'accountId'>): string {
  return `${name}@${accountId}`;
}

/** Labels that files give a scope, by which runs can select it: values by key. */
export type Labels = Readonly<Record<string, string>>;

/** Whether a text has the shape of an id of the service (api.md 1.1). */
export function isId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** Returns a scope as it is written in output and after `--target`: `zone:shop.example`. */
export function scopeLabel(scope: { readonly kind: ScopeKind; readonly name: string }): string {
  return `${scope.kind}:${scope.name}`;
}

/** Zones or accounts per page of their lists (api.md 1.3). */
export const SCOPES_PER_PAGE = 50;

/** From this many zones on, their list is read; for fewer, one look-up each is cheaper than a first page that may turn out useless. */
export const FEWEST_FOR_LISTING = 4;
