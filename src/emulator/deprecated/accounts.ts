import { checkPermission, readBody } from '../call.ts';
import type { Call, ScopedCall } from '../call.ts';
import { flag, object, opaque, text, word } from '../decode/shape.ts';
import { showAccount } from '../directory/show-account.ts';
import { flagAt, objectAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { notAuthorized } from '../protocol/gateway-errors.ts';
import type { Account } from '../store/records.ts';
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

/** POST account (specification 9, row of 2025-03-14): by the user, or a token with all rights. */
export function createAccount(call: Call): Answer {
  const { token } = call.credential;
  const all = (words: readonly string[]): boolean => words.includes('*');
  if (token?.policies.some(({ permissions, resources }) => all(permissions) && all(resources)) === false) {
    throw notAuthorized();
  }
  const body = readBody(call, createBody);
  return stored(
    call.service.store,
    {
      id: call.service.newId(),
      name: textAt(body, 'name') ?? '',
      plan: 'free',
      features: [],
      created_on: call.service.stamp(),
    },
    body,
  );
}

/** PUT account: its name and settings. */
export function putAccount(call: ScopedCall): Answer {
  checkPermission(call, 'Write', ['Account Settings']);
  const body = readBody(call, putBody);
  const { account } = call.scope;
  return stored(call.service.store, { ...account, name: textAt(body, 'name') ?? account.name }, body);
}

function stored(store: Store, account: Account, body: JsonObject): Answer {
  store.accounts.set(account.id, account);
  const nameservers = wantedNameservers(objectAt(body, 'settings') ?? {});
  if (nameservers !== undefined) {
    changeDnsSettings(store, `accounts/${account.id}`, { nameservers });
  }
  return result(showAccount(store, account));
}

/** What the old fields mean for the DNS settings; the named type goes before the flag (assumed). */
function wantedNameservers(old: JsonObject): string | undefined {
  const custom = flagAt(old, 'use_account_custom_ns_by_default');
  return (
    textAt(old, 'default_nameservers') ??
    (custom === undefined ? undefined : custom ? 'custom.account' : 'cloudflare.standard')
  );
}
