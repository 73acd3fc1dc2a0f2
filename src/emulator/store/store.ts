import type { Filter, FirewallRule, WafMigration, OldWaf, WafOverride } from '../records/old-records.ts';
import type { StoredDocument } from '../records/document-record.ts';
import type { ListOperation, StoredList } from '../records/list-record.ts';
import type { StoredAuditEntry } from '../records/audit-entry.ts';
import type { ZoneSecurityEvents } from '../records/security-events.ts';
import type { StoredRuleset } from '../records/ruleset-record.ts';
import type { TrafficMix, ZoneTraffic } from '../records/traffic-record.ts';
import type { Account, Token, User, Zone } from '../records/directory-record.ts';

/** The type of the records in each table of the store. */
export interface Records {
  readonly accounts: Account;
  readonly zones: Zone;
  readonly users: User;
  readonly tokens: Token;
  readonly rulesets: StoredRuleset;
  /** By zone: old firewall rules; with `one_list`, what the old interface adds to the custom rules. */
  readonly firewallRules: FirewallRule;
  /** By zone. */
  readonly filters: Filter;
  /** By zone id: the settings of the old WAF. */
  readonly oldWafs: OldWaf;
  /** By zone: URI-based overrides. */
  readonly wafOverrides: WafOverride;
  /** By zone id: WAF migrations. */
  readonly wafMigrations: WafMigration;
  /** By owner and path: what the families of tables keep, such as page rules, DNS records and settings. */
  readonly documents: StoredDocument;
  /** By account: the lists that expressions and redirects name; `listOperations` holds the changes of their items. */
  readonly lists: StoredList;
  readonly listOperations: ListOperation;
  /** By zone: what the analytics tell of. */
  readonly securityEvents: ZoneSecurityEvents;
  /** What visitors do; one record at most. */
  readonly traffic: TrafficMix;
  /** By zone: what became of their requests. */
  readonly zoneTraffic: ZoneTraffic;
  /** By account: who changed what, oldest first. */
  readonly auditLog: StoredAuditEntry;
}

type Tables = { readonly [Name in keyof Records]: Table<Records[Name]> };

type Contents = { readonly [Name in keyof Records]?: readonly Records[Name][] };

/** The whole store as plain data, for snapshots and the state file; an absent table is empty. */
export type StoreContent = Contents &
  Required<Pick<Contents, 'accounts' | 'zones' | 'users' | 'tokens' | 'rulesets'>>;

/** The service's memory. Records are immutable; a write replaces them inside a transaction. */
export interface Store extends Tables {
  /** Runs a piece of work. Undoes its changes when it throws, or when `keep` rejects its outcome. */
  transact<T>(
    work: () => T,
    keep?: (outcome: T) => boolean,
  ): { readonly outcome: T; readonly wrote: boolean };
  content(): StoreContent;
  load(content: StoreContent): void;
}

/** Finds a zone or account by id or by name. */
export function namedIn<T extends { readonly id: string; readonly name: string }>(
  table: Table<T>,
  name: string,
): T | undefined {
  return table.get(name) ?? table.all().find((each) => each.name === name);
}

/** Creates a store with the given content. */
export function createStore(content: StoreContent): Store {
  let undos: (() => void)[] = [];
  const note: NoteUndo = (undo) => {
    undos.push(undo);
  };
  const undoAll = (): void => {
    for (const undo of undos.reverse()) {
      undo();
    }
    undos = [];
  };
  const tables = createTables(note);
  const isTable = (name: string): name is keyof Records => Object.hasOwn(tables, name);
  const store: Store = {
    ...tables,
    transact: (work, keep = () => true) => {
      undos = [];
      try {
        const outcome = work();
        const wrote = undos.length > 0 && keep(outcome);
        if (!wrote) {
          undoAll();
        }
        return { outcome, wrote };
      } catch (error) {
        undoAll();
        throw error;
      } finally {
        undos = [];
      }
    },
    content: () => ({
      accounts: tables.accounts.all(),
      zones: tables.zones.all(),
      users: tables.users.all(),
      tokens: tables.tokens.all(),
      rulesets: tables.rulesets.all(),
      firewallRules: tables.firewallRules.all(),
      filters: tables.filters.all(),
      oldWafs: tables.oldWafs.all(),
      wafOverrides: tables.wafOverrides.all(),
      wafMigrations: tables.wafMigrations.all(),
      documents: tables.documents.all(),
      lists: tables.lists.all(),
      listOperations: tables.listOperations.all(),
      securityEvents: tables.securityEvents.all(),
      traffic: tables.traffic.all(),
      zoneTraffic: tables.zoneTraffic.all(),
      auditLog: tables.auditLog.all(),
    }),
    load: (next) => {
      for (const name of Object.keys(tables).filter(isTable)) {
        loadTable(tables, name, next);
      }
      undos = [];
    },
  };
  store.load(content);
  return store;
}

function loadTable<Name extends keyof Records>(
  tables: Tables,
  name: Name,
  content: { readonly [Each in Name]?: readonly Records[Each][] },
): void {
  tables[name].load(content[name] ?? []);
}

function createTables(note: NoteUndo): Tables {
  const id = (record: { readonly id: string }): string => record.id;
  const zone = (record: { readonly zone: string }): string => record.zone;
  const account = (record: { readonly account: string }): string => record.account;
  return {
    accounts: createTable<Account>({ key: id }, note),
    zones: createTable<Zone>({ key: id, group: account }, note),
    users: createTable<User>({ key: id }, note),
    tokens: createTable<Token>({ key: ({ value }) => value }, note),
    rulesets: createTable<StoredRuleset>({ key: id, group: ({ owner }) => owner }, note),
    firewallRules: createTable<FirewallRule>({ key: id, group: zone }, note),
    filters: createTable<Filter>({ key: id, group: zone }, note),
    oldWafs: createTable<OldWaf>({ key: zone }, note),
    wafOverrides: createTable<WafOverride>({ key: id, group: zone }, note),
    wafMigrations: createTable<WafMigration>({ key: zone }, note),
    documents: createTable<StoredDocument>({ key: ({ key }) => key, group: ({ group }) => group }, note),
    lists: createTable<StoredList>({ key: id, group: account }, note),
    listOperations: createTable<ListOperation>({ key: id }, note),
    securityEvents: createTable<ZoneSecurityEvents>({ key: zone }, note),
    traffic: createTable<TrafficMix>({ key: id }, note),
    zoneTraffic: createTable<ZoneTraffic>({ key: zone }, note),
    auditLog: createTable<StoredAuditEntry>({ key: id, group: account }, note),
  };
}

/** Called for each change of a table with a function that undoes the change. */
type NoteUndo = (undo: () => void) => void;

/**
 * Immutable records by key, in the order in which they were added, with an index by group (such as the owner of a
 * ruleset or the zone of a firewall rule). Each change passes its undo to the store.
 */
interface Table<T> {
  get(key: string): T | undefined;
  /** All records, oldest first. */
  all(): readonly T[];
  /** The number of all records. */
  size(): number;
  /** The records of one group, oldest first. */
  group(name: string): readonly T[];
  set(key: string, record: T): void;
  delete(key: string): void;
  /** Replaces all records; cannot be undone by a transaction. */
  load(records: readonly T[]): void;
}

/** Derives the key and the group of a record. */
interface TableKeys<T> {
  readonly key: (record: T) => string;
  readonly group?: (record: T) => string;
}

/** Creates an empty table. */
function createTable<T>(keys: TableKeys<T>, note: NoteUndo): Table<T> {
  const groupOf = keys.group ?? (() => '');
  let records = new Map<string, T>();
  let groups = new Map<string, Map<string, T>>();

  const put = (key: string, record: T): void => {
    records.set(key, record);
    const name = groupOf(record);
    const group = groups.get(name) ?? new Map<string, T>();
    group.set(key, record);
    groups.set(name, group);
  };
  const remove = (key: string, record: T): void => {
    records.delete(key);
    groups.get(groupOf(record))?.delete(key);
  };
  const load = (next: readonly T[]): void => {
    records = new Map();
    groups = new Map();
    for (const record of next) {
      put(keys.key(record), record);
    }
  };

  return {
    get: (key) => records.get(key),
    all: () => [...records.values()],
    size: () => records.size,
    group: (name) => [...(groups.get(name)?.values() ?? [])],
    load,
    set: (key, record) => {
      const before = records.get(key);
      put(key, record);
      note(() => (before === undefined ? remove(key, record) : put(key, before)));
    },
    delete: (key) => {
      const before = records.get(key);
      if (before === undefined) {
        return;
      }
      // Undoing a deletion restores the record's place, because lists show the records in their order.
      const order = [...records.values()];
      remove(key, before);
      note(() => load(order));
    },
  };
}
