import { dnsSettings } from './dns-settings.ts';
import type { Account } from '../records/directory.ts';
import type { Store } from '../store/store.ts';

/** Shows an account as in answers. Two of its settings mirror the DNS settings (specification 9, row of 2025-03-14). */
export function showAccount(store: Store, account: Account): unknown {
  const { nameservers } = dnsSettings(store, `accounts/${account.id}`);
  return {
    id: account.id,
    name: account.name,
    type: account.plan === 'enterprise' ? 'enterprise' : 'standard',
    settings: {
      enforce_twofactor: false,
      default_nameservers: nameservers,
      use_account_custom_ns_by_default: nameservers === 'custom.account',
    },
    created_on: account.created_on,
  };
}
