import { accountScope, checkAllRights, checkPermission, reaches, readBody, zoneScope } from '../call/call.ts';
import type { Call, ScopedCall } from '../call/call.ts';
import { flag, object, opaque, text, word } from '../decode/shape.ts';
import type { ValueOf } from '../decode/shape.ts';
import { ordered } from '../listing/ordered.ts';
import { pageOf, readPage } from '../listing/pages.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { accountTypes } from '../records/directory.ts';
import type { Account } from '../records/directory.ts';
import { changeDnsSettings, dnsSettings, NAMESERVER_TYPES } from '../settings/dns-settings.ts';
import type { Store } from '../store/store.ts';

const settings = object({
  abuse_contact_email: text(),
  enforce_twofactor: flag(),
  default_nameservers: word(...NAMESERVER_TYPES),
  use_account_custom_ns_by_default: flag(),
});
const type = word(...accountTypes);
const createBody = object({ name: text({ min: 1 }), type, unit: opaque, settings }, { required: ['name'] });
const putBody = object(
  { id: text(), name: text({ min: 1 }), type, managed_by: opaque, created_on: opaque, settings },
  { required: ['name'] },
);

/** GET accounts: those that the credential, or one of whose zones it, reaches. */
export function listAccounts(call: Call): Answer {
  const page = readPage(call.query, { min: 1, max: 50, standard: 20 });
  const name = call.query.get('name');
  const { store } = call.service;
  const accounts = store.accounts
    .all()
    .filter((account) => name === null || account.name === name)
    .filter((account) => accountVisible(call, account));
  return pageOf(ordered(call.query, accounts, { name: (account) => account.name }), page, (account) =>
    showAccount(store, account),
  );
}

function accountVisible({ credential, service }: Call, account: Account): boolean {
  return (
    reaches(credential, accountScope(account)) ||
    service.store.zones.group(account.id).some((zone) => reaches(credential, zoneScope(zone, account)))
  );
}

/** GET account. */
export function getAccount({ scope, service }: ScopedCall): Answer {
  return result(showAccount(service.store, scope.account));
}

/** POST account (specification 9, row of 2025-03-14): allowed with a key, or with a token that has all rights. */
export function createAccount(call: Call): Answer {
  checkAllRights(call);
  const { name, type: kind, settings: wanted } = readBody(call, createBody);
  const { service } = call;
  const account: Account = {
    id: service.newId(),
    name,
    plan: 'free',
    features: [],
    created_on: service.stamp(),
    ...(kind === undefined ? {} : { type: kind }),
  };
  return stored(service.store, account, wanted);
}

/** PUT account: changes its name and settings; its type cannot change (assumed). */
export function putAccount(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['Account Settings']);
  const { name, settings: wanted } = readBody(call, putBody);
  return stored(call.service.store, { ...call.scope.account, name }, wanted);
}

type Settings = ValueOf<typeof settings>;

function stored(store: Store, account: Account, wanted: Settings = {}): Answer {
  const { enforce_twofactor = account.enforce_twofactor ?? false } = wanted;
  const next = { ...account, enforce_twofactor };
  store.accounts.set(account.id, next);
  const nameservers = wantedNameservers(wanted);
  if (nameservers !== undefined) {
    changeDnsSettings(store, `accounts/${account.id}`, { nameservers });
  }
  return result(showAccount(store, next));
}

/** Returns the nameserver type that the old settings ask for; the named type takes precedence over the flag (assumed). */
function wantedNameservers({
  default_nameservers: named,
  use_account_custom_ns_by_default: custom,
}: Settings): string | undefined {
  return named ?? (custom === undefined ? undefined : custom ? 'custom.account' : 'cloudflare.standard');
}

/** Shows an account as in answers. Two of its settings mirror the DNS settings (specification 9, row of 2025-03-14). */
function showAccount(store: Store, account: Account): unknown {
  const { nameservers } = dnsSettings(store, `accounts/${account.id}`);
  return {
    id: account.id,
    name: account.name,
    type: account.type ?? (account.plan === 'enterprise' ? 'enterprise' : 'standard'),
    settings: {
      enforce_twofactor: account.enforce_twofactor ?? false,
      default_nameservers: nameservers,
      use_account_custom_ns_by_default: nameservers === 'custom.account',
    },
    created_on: account.created_on,
  };
}
