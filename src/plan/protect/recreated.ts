import type { AddRule, DeleteRule, RuleChange } from '../../model/change.ts';
import { canonicalJson } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { Step } from '../../model/plan.ts';
import { orderAfter } from '../../model/rule-order.ts';
import type { RuleContent } from '../../model/rule.ts';

/**
 * The rules that go and come again under another `ref`, with what takes their place: of a rule that stays under a new
 * name nothing is lost but its id. Each rule counts once, copies in the order of the list.
 */
function pairRecreated(changes: readonly RuleChange[]): ReadonlyMap<DeleteRule, AddRule> {
  const free = new Map<string, AddRule[]>();
  for (const change of changes) {
    if (change.kind === 'add') {
      const text = textOf(change.content);
      const same = free.get(text) ?? [];
      free.set(text, same);
      same.push(change);
    }
  }
  return new Map(
    changes.flatMap((change) => {
      const twin = change.kind === 'delete' ? free.get(textOf(change.before))?.shift() : undefined;
      return change.kind === 'delete' && twin !== undefined ? [[change, twin] as const] : [];
    }),
  );
}

/**
 * Changes that do no more than give a rule another `ref`: it goes, and comes again as it was. They count neither as removed nor
 * as added, but only where nothing else happens to what stays: as soon as a rule moves, changes or is really new, which rule ends
 * up in front of which depends on many at once, and there are none. `order` is the final list.
 */
export function renamed(
  changes: readonly RuleChange[],
  order: readonly { readonly kind: 'live' | 'new' }[],
): ReadonlySet<RuleChange> {
  const added = changes.filter(isNew).length;
  // What costs nothing is asked first: most changes are others.
  if (added === 0 || changes.some(({ kind }) => kind === 'patch' || kind === 'move')) {
    return NONE;
  }
  const pairs = pairRecreated(changes);
  const again = new Map([...pairs].map(([gone, made]) => [made.place.index - 1, gone]));
  const isAllPaired = added === pairs.size && order.filter(isNew).length === pairs.size;
  return isAllPaired && isInLiveOrder(changes, order, again) ? new Set([...pairs].flat()) : NONE;
}

const NONE: ReadonlySet<RuleChange> = new Set();

/** As `renamed`, of a step of a plan. */
export function renamedIn(step: Step): ReadonlySet<RuleChange> {
  return renamed(step.changes, orderAfter(step));
}

/** Whether rules that stay, and rules that are there again (by their new place), follow each other as they did. */
function isInLiveOrder(
  changes: readonly RuleChange[],
  order: readonly { readonly kind: 'live' | 'new' }[],
  again: ReadonlyMap<number, DeleteRule>,
): boolean {
  const gone = new Set(changes.flatMap((change) => (change.kind === 'delete' ? [change.place.index] : [])));
  let staying = 0;
  let last = 0;
  return order.every(({ kind }, index) => {
    if (kind === 'live') {
      do {
        staying += 1;
      } while (gone.has(staying));
    }
    const place = kind === 'live' ? staying : (again.get(index)?.place.index ?? 0);
    const follows = place > last;
    last = place;
    return follows;
  });
}

function isNew({ kind }: { readonly kind: RuleChange['kind'] | 'live' | 'new' }): boolean {
  return kind === 'add' || kind === 'new';
}

function textOf(content: RuleContent): string {
  return canonicalJson(canonicalContent(content));
}
