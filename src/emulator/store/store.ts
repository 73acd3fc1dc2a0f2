import type { Filter, FirewallRule } from '../firewall/firewall-rule.ts';
import type { StoredDocument } from '../deprecated/document.ts';
import type { ListOperation, StoredList } from '../lists/list.ts';
import type { WafMigration } from '../migration/state.ts';
import type { StoredRuleset } from '../rulesets/ruleset.ts';
import type { OldWaf, WafOverride } from '../waf/old-waf.ts';
import { groupOf, type ZoneObject } from '../zone-objects/zone-object.ts';
import type { Account, Token, User, Zone } from './records.ts';
import { createTable, type Table } from './table.ts';

/** Everything that the service remembers, as plain data: the content of a snapshot and of the state file. */
export interface StoreContent {
  readonly accounts: readonly Account[];
  readonly zones: readonly Zone[];
  readonly users: readonly User[];
  readonly tokens: readonly Token[];
  readonly rulesets: readonly StoredRuleset[];
  readonly firewallRules?: readonly FirewallRule[];
  readonly filters?: readonly Filter[];
  readonly zoneObjects?: readonly ZoneObject[];
  readonly oldWafs?: readonly OldWaf[];
  readonly wafOverrides?: readonly WafOverride[];
  readonly wafMigrations?: readonly WafMigration[];
  readonly documents?: readonly StoredDocument[];
  readonly lists?: readonly StoredList[];
  readonly listOperations?: readonly ListOperation[];
}

/** The service's memory. Records are immutable; a write replaces them inside a transaction. */
export interface Store {
  readonly accounts: Table<Account>;
  readonly zones: Table<Zone>;
  readonly users: Table<User>;
  readonly tokens: Table<Token>;
  readonly rulesets: Table<StoredRuleset>;
  /** By zone: old firewall rules, or what the old interface says about custom rules beyond themselves. */
  readonly firewallRules: Table<FirewallRule>;
  /** By zone. */
  readonly filters: Table<Filter>;
  /** By zone and family (`groupOf`): old rate limits, page rules, lockdowns, user agent rules. */
  readonly zoneObjects: Table<ZoneObject>;
  /** By zone id: what zones have set in the old WAF. */
  readonly oldWafs: Table<OldWaf>;
  /** By zone: URI-based overrides. */
  readonly wafOverrides: Table<WafOverride>;
  /** By zone id: WAF migrations. */
  readonly wafMigrations: Table<WafMigration>;
  /** By owner and family: DNS records, settings and whatever else is here only to be retired. */
  readonly documents: Table<StoredDocument>;
  /** By account: lists that expressions and redirects name, and what changes their items. */
  readonly lists: Table<StoredList>;
  readonly listOperations: Table<ListOperation>;
  /** Runs a piece of work; when `keep` says no to its outcome, every change it made is undone. */
  transact<T>(work: () => T, keep: (outcome: T) => boolean): { readonly outcome: T; readonly wrote: boolean };
  content(): StoreContent;
  load(content: StoreContent): void;
}

/** Makes a store with a content. */
export function createStore(content: StoreContent): Store {
  let undos: (() => void)[] = [];
  const note = (undo: () => void): void => {
    undos.push(undo);
  };
  const undoAll = (): void => {
    for (const undo of undos.reverse()) {
      undo();
    }
    undos = [];
  };
  const tables = {
    accounts: createTable<Account>({ key: (record) => record.id }, note),
    zones: createTable<Zone>({ key: (record) => record.id, group: (record) => record.account }, note),
    users: createTable<User>({ key: (record) => record.id }, note),
    tokens: createTable<Token>({ key: (record) => record.value }, note),
    rulesets: createTable<StoredRuleset>(
      { key: (record) => record.id, group: (record) => record.owner },
      note,
    ),
    firewallRules: createTable<FirewallRule>(
      { key: (record) => record.id, group: (record) => record.zone },
      note,
    ),
    filters: createTable<Filter>({ key: (record) => record.id, group: (record) => record.zone }, note),
    zoneObjects: createTable<ZoneObject>({ key: (record) => record.id, group: groupOf }, note),
    oldWafs: createTable<OldWaf>({ key: (record) => record.zone }, note),
    wafOverrides: createTable<WafOverride>(
      { key: (record) => record.id, group: (record) => record.zone },
      note,
    ),
    wafMigrations: createTable<WafMigration>({ key: (record) => record.zone }, note),
    documents: createTable<StoredDocument>(
      { key: (record) => record.key, group: (record) => record.group },
      note,
    ),
    lists: createTable<StoredList>({ key: (record) => record.id, group: (record) => record.account }, note),
    listOperations: createTable<ListOperation>({ key: (record) => record.id }, note),
  };
  const store: Store = {
    ...tables,
    transact: (work, keep) => {
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
      zoneObjects: tables.zoneObjects.all(),
      oldWafs: tables.oldWafs.all(),
      wafOverrides: tables.wafOverrides.all(),
      wafMigrations: tables.wafMigrations.all(),
      documents: tables.documents.all(),
      lists: tables.lists.all(),
      listOperations: tables.listOperations.all(),
    }),
    load: (next) => {
      tables.accounts.load(next.accounts);
      tables.zones.load(next.zones);
      tables.users.load(next.users);
      tables.tokens.load(next.tokens);
      tables.rulesets.load(next.rulesets);
      tables.firewallRules.load(next.firewallRules ?? []);
      tables.filters.load(next.filters ?? []);
      tables.zoneObjects.load(next.zoneObjects ?? []);
      tables.oldWafs.load(next.oldWafs ?? []);
      tables.wafOverrides.load(next.wafOverrides ?? []);
      tables.wafMigrations.load(next.wafMigrations ?? []);
      tables.documents.load(next.documents ?? []);
      tables.lists.load(next.lists ?? []);
      tables.listOperations.load(next.listOperations ?? []);
      undos = [];
    },
  };
  store.load(content);
  return store;
}
