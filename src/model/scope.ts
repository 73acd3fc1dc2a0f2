/** The two kinds of scope that hold rulesets. */
export type ScopeKind = 'zone' | 'account';

/** A zone or an account as the service knows it. */
export interface Scope {
  readonly kind: ScopeKind;
  /** 32 lower-case hex characters. */
  readonly id: string;
  /** What reports call it and files may: the name that the service has, for a zone with the account where that alone is not its own. */
  readonly name: string;
  /** The account that holds the zone; for an account its own id. */
  readonly accountId: string;
  /** The service's word for a zone's plan level (`plan.legacy_id`, api.md 13.4), where it said one. */
  readonly plan?: string;
}

/** A scope as a file names it: by name or by id. */
export interface ScopeRef {
  readonly kind: ScopeKind;
  /** The text of the file: a name, for a zone maybe with the account (`zoneName`), or 32 hex characters. */
  readonly name: string;
}

/** What the name of a zone says: the name that the service has, and the account, where several have a zone of that name. */
export interface ZoneName {
  readonly bare: string;
  /** Id of the account; null where the name says none. */
  readonly account: string | null;
}

/** The name of a scope as it is compared: that of a zone is one of the DNS, in which capitals mean nothing, and is written without. */
export function foldedName({ kind, name }: ScopeRef): string {
  return kind === 'zone' ? name.toLowerCase() : name;
}

/** Reads the name of a zone, `shop.example` or `shop.example@0123…`. The name of an account is its own, whatever stands in it. */
export function zoneName({ kind, name }: ScopeRef): ZoneName {
  const [, bare, account] = (kind === 'zone' ? /^(.+)@([0-9a-f]{32})$/s.exec(name) : null) ?? [];
  return bare === undefined || account === undefined ? { bare: name, account: null } : { bare, account };
}

/** The name of a zone together with its account. */
export function nameInAccount({ name, accountId }: Pick<Scope, 'name' | 'accountId'>): string {
  return `${name}@${accountId}`;
}

/** What the files say about a scope so that runs can choose it: texts by name. */
export type Labels = Readonly<Record<string, string>>;

/** Whether a text has the shape of an id of the service (api.md 1.1). */
export function isId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** How a scope is written in output and after `--target`: `zone:shop.example`. */
export function scopeLabel(scope: { readonly kind: ScopeKind; readonly name: string }): string {
  return `${scope.kind}:${scope.name}`;
}

/** Zones and accounts on a page of their lists (api.md 1.3). */
export const SCOPES_PER_PAGE = 50;

/** From so many zones on their list is read: for fewer, a look-up each costs less than a first page that may turn out useless. */
export const FEWEST_FOR_LISTING = 4;
