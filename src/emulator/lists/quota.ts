import { refuse } from '../protocol/refusal.ts';
import type { Account, PlanLevel } from '../records/directory.ts';
import type { ListKind, StoredList } from '../records/list.ts';

type ByPlan = Readonly<Record<PlanLevel, number>>;

/** Numbers of lists and of items by plan (api.md 8.1, 8.2); redirect lists are counted by themselves. */
const LISTS: ByPlan = { free: 1, pro: 10, business: 10, enterprise: 1000 };
const REDIRECT_LISTS: ByPlan = { free: 5, pro: 5, business: 5, enterprise: 25 };
const ITEMS = 10_000;
const REDIRECTS: ByPlan = { free: 10_000, pro: 10_000, business: 25_000, enterprise: 1_000_000 };

/** Judges one list more. */
export function checkListQuota(account: Account, lists: readonly StoredList[], kind: ListKind): void {
  const redirects = kind === 'redirect';
  const max = (redirects ? REDIRECT_LISTS : LISTS)[account.plan];
  const count = lists.filter((list) => (list.kind === 'redirect') === redirects).length;
  if (count >= max) {
    throw refuse(400, `exceeded the maximum number of ${redirects ? 'redirect' : 'custom'} lists: ${max}`);
  }
}

/** What a bulk operation fails with when the account would have too many items (text assumed). */
export function itemQuotaError(
  account: Account,
  others: readonly StoredList[],
  { kind, count }: { readonly kind: ListKind; readonly count: number },
): string | undefined {
  const redirects = kind === 'redirect';
  const max = redirects ? REDIRECTS[account.plan] : ITEMS;
  const total = others
    .filter((list) => (list.kind === 'redirect') === redirects)
    .reduce((sum, list) => sum + list.items.length, count);
  return total > max ? `exceeded the maximum number of list items: ${total} out of ${max}` : undefined;
}
