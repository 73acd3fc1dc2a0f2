import { checkPermission, readBody } from '../call/call.ts';
import type { Call, ScopedCall } from '../call/call.ts';
import { flag, object, opaque, text, word } from '../decode/shape.ts';
import type { ValueOf } from '../decode/shape.ts';
import { showAccount } from './show-account.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { notAuthorized } from '../protocol/gateway-errors.ts';
import type { Account } from '../records/directory.ts';
import type { Store } from '../store/store.ts';
import { changeDnsSettings, NAMESERVER_TYPES } from './dns-settings.ts';

const settings = object({
  enforce_twofactor: flag(),
  default_nameservers: word(...NAMESERVER_TYPES),
  use_account_custom_ns_by_default: flag(),
});
const createBody = object({ name: text({ min: 1 }), type: text(), settings }, { required: ['name'] });
const putBody = object(
  { id: text(), name: text({ min: 1 }), type: text(), created_on: opaque, settings },
  { required: ['name'] },
);

/** POST account (specification 9, row of 2025-03-14): allowed with a key, or with a token that has all rights. */
export function createAccount(call: Call): Answer {
  const { token } = call.credential;
  const all = (words: readonly string[]): boolean => words.includes('*');
  if (token?.policies.some(({ permissions, resources }) => all(permissions) && all(resources)) === false) {
    throw notAuthorized();
  }
  const { name, settings } = readBody(call, createBody);
  const { service } = call;
  const account: Account = {
    id: service.newId(),
    name,
    plan: 'free',
    features: [],
    created_on: service.stamp(),
  };
  return stored(service.store, account, settings);
}

/** PUT account: changes its name and settings. */
export function putAccount(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['Account Settings']);
  const { name, settings } = readBody(call, putBody);
  return stored(call.service.store, { ...call.scope.account, name }, settings);
}

type Settings = ValueOf<typeof settings>;

function stored(store: Store, account: Account, settings: Settings = {}): Answer {
  store.accounts.set(account.id, account);
  const nameservers = wantedNameservers(settings);
  if (nameservers !== undefined) {
    changeDnsSettings(store, `accounts/${account.id}`, { nameservers });
  }
  return result(showAccount(store, account));
}

/** Returns the nameserver type that the old settings ask for; the named type takes precedence over the flag (assumed). */
function wantedNameservers({
  default_nameservers: type,
  use_account_custom_ns_by_default: custom,
}: Settings): string | undefined {
  return type ?? (custom === undefined ? undefined : custom ? 'custom.account' : 'cloudflare.standard');
}
