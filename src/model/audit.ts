/** Who made a change. */
export interface ChangeActor {
  /** `service`: the service itself or its staff; `account`: what belongs to the account and to no user. */
  readonly kind: 'user' | 'token' | 'account' | 'service' | 'unknown';
  /** The name of the token, or the mail address of the user; "" where the log says neither. */
  readonly name: string;
}

/** By what a change was made. */
export type ChangeVia = 'dashboard' | 'api-token' | 'api-key' | 'oauth' | 'api' | 'service' | 'unknown';

/** A write as the service's audit log tells of it. */
export interface AuditEntry {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: ChangeActor;
  readonly via: ChangeVia;
  /** What the client calls itself, which nobody checks; "" where it says nothing. */
  readonly userAgent: string;
  /** The id of the exchange, without the place: `cf-ray` up to its hyphen; "" in the older version of the log. */
  readonly ray: string;
  /** The method of the request; null in the older version of the log. */
  readonly method: string | null;
  /** The path below the base URL; null in the older version of the log. */
  readonly path: string | null;
  /** The id of the object; "" where the log has none. */
  readonly resource: string;
  /** A setting of a zone, which the older version of the log tells by its names. */
  readonly setting: { readonly zone: string; readonly name: string } | null;
  /** The version of the ruleset that the write made, where the log says it. */
  readonly version: string | null;
  /** `ref` of the rule that the request wrote alone, where the log says it. The rest of a request's body is not read: it may hold secrets. */
  readonly ref: string | null;
}

/** A write that made a difference, or a part of it. */
export interface ChangedBy {
  /** RFC 3339. */
  readonly at: string;
  readonly actor: ChangeActor;
  readonly via: ChangeVia;
  /** What the client calls itself, which nobody checks; absent where that says nothing beside `via`. */
  readonly claims?: string;
  readonly audit_id: string;
}

/** Why it is not known who made a change, or not whether others did too. */
export interface AuthorNotKnown {
  readonly reason:
    | 'not-asked'
    /** The token may not read the log. */
    | 'no-permission'
    /** Reading it failed. */
    | 'unreadable'
    /** The change is older than the log goes back. */
    | 'too-old'
    /** It is older than what was read. */
    | 'before-since'
    /** The log was too long to be read that far. */
    | 'cut'
    /** The log does not have it yet. */
    | 'delayed'
    /** Nobody changed live since a run of this project wrote it. */
    | 'own'
    | 'no-entry';
  /** A clause: `the token may not read the audit log`. */
  readonly message: string;
}

/** What is known of who made a change. */
export interface AuthorsOfChange {
  /** The newest last. */
  readonly changed_by: readonly ChangedBy[];
  /** Absent where all is known. */
  readonly not_known?: AuthorNotKnown;
}

/** Who made each change of a plan, by the step that undoes it and the rule. */
export type ChangeAuthors = ReadonlyMap<string, AuthorsOfChange>;

/** The writes of this project's own runs, by which they are recognised in the log. */
export interface OwnWrites {
  /** Their steps, by the ids of their entries in the audit log, and of their exchanges (`cf-ray` up to its hyphen). */
  readonly ids: ReadonlyMap<string, string>;
  /** Of `ids`, those of what a failed run wrote and put back, with the writes that did: live is again what others made of it before. */
  readonly undone: ReadonlySet<string>;
  /** The last version of each ruleset that a run wrote and did not put back, by the ruleset's id. */
  readonly versions: ReadonlyMap<string, number>;
  /** The ids that rulesets had when runs wrote them, by the ids of the steps: of one that is gone nothing else tells it. */
  readonly rulesets: ReadonlyMap<string, string>;
}

/** What is known of an account's audit log. */
export type AuditReading =
  | {
      readonly kind: 'read';
      readonly entries: readonly AuditEntry[];
      /** From when on the log was read; milliseconds since 1970. */
      readonly since: number;
      /** The time of the oldest entry that was read, where older ones were left out. */
      readonly cutAt: number | null;
    }
  | { readonly kind: 'unread'; readonly why: AuthorNotKnown };
