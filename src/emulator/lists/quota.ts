import { refuse } from '../protocol/refusal.ts';
import type { Account, PlanLevel } from '../records/directory.ts';
import type { ListKind, StoredList } from '../records/list.ts';

type ByPlan = Readonly<Record<PlanLevel, number>>;

/** The maximum number of lists and of items, by plan (api.md 8.1, 8.2); redirect lists count separately. */
const LISTS: ByPlan = { free: 1, pro: 10, business: 10, enterprise: 1000 };
const REDIRECT_LISTS: ByPlan = { free: 5, pro: 5, business: 5, enterprise: 25 };
const ITEMS = 10_000;
const REDIRECTS: ByPlan = { free: 10_000, pro: 10_000, business: 25_000, enterprise: 1_000_000 };

/** Refuses another list when the account already has the maximum. */
export function checkListQuota(account: Account, lists: readonly StoredList[], kind: ListKind): void {
  const redirects = kind === 'redirect';
  const max = (redirects ? REDIRECT_LISTS : LISTS)[account.plan];
  const count = lists.filter((list) => (list.kind === 'redirect') === redirects).length;
  if (count >= max) {
    throw refuse(400, `exceeded the maximum number of ${redirects ? 'redirect' : 'custom'} lists: ${max}`);
  }
}

/** Returns the error of an operation after which the account would have too many items, or undefined (text assumed). */
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
