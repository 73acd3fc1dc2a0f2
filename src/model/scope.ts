/** The two kinds of scope that hold rulesets. */
export type ScopeKind = 'zone' | 'account';

/** A zone or an account as the service knows it. */
export interface Scope {
  readonly kind: ScopeKind;
  /** 32 lower-case hex characters. */
  readonly id: string;
  readonly name: string;
  /** The account that holds the zone; for an account its own id. */
  readonly accountId: string;
  /** The service's word for a zone's plan level (`plan.legacy_id`, api.md 13.4), where it said one. */
  readonly plan?: string;
}

/** A scope as a file names it: by name or by id. */
export interface ScopeRef {
  readonly kind: ScopeKind;
  /** The text of the file: a name, or 32 hex characters. */
  readonly name: string;
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
