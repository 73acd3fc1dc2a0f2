import { formatPlace, isItemAsWanted, listItemKey, listStepId } from '../../model/index.ts';
import type {
  DesiredList,
  ListBase,
  ListItem,
  ListItemChange,
  ListItemChanges,
  ListStep,
  ListWriting,
  LiveList,
  LiveListHead,
  LiveListItem,
  PlanError,
  Scope,
} from '../../model/index.ts';
import type { PlannedObject } from '../objects/planned-object.ts';
import type { JudgedList } from './judge-list.ts';
import { judgeList } from './judge-list.ts';
import type { ListNamingRule } from './list-rules.ts';

/** What a list is planned from. */
export interface ListsInput {
  readonly scope: Scope;
  readonly desired: readonly DesiredList[];
  /** All lists of the account. */
  readonly heads: readonly LiveListHead[];
  /** The live lists that `listsToRead` asks for, by name. */
  readonly read: ReadonlyMap<string, LiveList>;
  /** The rules of all scopes of the account that name lists, as they are when the plan is carried out. */
  readonly rules: readonly ListNamingRule[];
  /** How many live rules that name each list were read. */
  readonly known: ReadonlyMap<string, number>;
  /** The lists that rules which the plan writes name. */
  readonly awaited: ReadonlySet<string>;
}

/** The plan of an account's lists, or why there is none. */
export type PlannedLists =
  | { readonly kind: 'planned'; readonly lists: readonly PlannedObject<ListStep>[] }
  | { readonly kind: 'failed'; readonly error: PlanError };

/** Returns the live lists whose items a plan needs: of the declared ones, those that somebody else fills are never read. */
export function listsToRead(
  desired: readonly DesiredList[],
  heads: readonly LiveListHead[],
): readonly LiveListHead[] {
  const wanted = new Set(desired.flatMap(({ name, items }) => (items === 'external' ? [] : [name])));
  return heads.filter(({ name }) => wanted.has(name));
}

/** Plans the lists of an account: one step for each list that differs. */
export function planLists(input: ListsInput): PlannedLists {
  const { desired, heads } = input;
  const live = new Map(heads.map((head) => [head.name, head]));
  const strange = desired.filter(({ name, kind }) => (live.get(name)?.kind ?? kind) !== kind);
  if (strange.length > 0) {
    return { kind: 'failed', error: kindError(strange, live) };
  }
  return {
    kind: 'planned',
    lists: desired
      .flatMap((list) => planList(list, input))
      .toSorted((a, b) => TURNS.indexOf(a.step.turn) - TURNS.indexOf(b.step.turn)),
  };
}

const TURNS: readonly ListStep['turn'][] = ['first', 'last'];

function planList(desired: DesiredList, input: ListsInput): readonly PlannedObject<ListStep>[] {
  const { name, kind, items, presence } = desired;
  const head = input.heads.find((one) => one.name === name);
  if (items === 'external') {
    return [];
  }
  const live = input.read.get(name);
  if (presence === 'absent') {
    return live === undefined
      ? []
      : [
          stepOf('delete', desired, {
            live,
            changes: { ...NONE, remove: live.items },
            input,
          }),
        ];
  }
  if (live === undefined || head === undefined) {
    return [
      stepOf('create', desired, {
        live,
        changes: { ...NONE, add: items },
        input,
      }),
    ];
  }
  const changes = compareItems(items, live.items);
  const described = desired.description !== undefined && desired.description !== live.description;
  return described || countChanges(changes) > 0
    ? [stepOf('update', { ...desired, kind }, { live, changes, input })]
    : [];
}

const NONE: ListItemChanges = { add: [], change: [], remove: [] };

/** Compares items as sets, by what the service keys them by. O(items). */
export function compareItems(wanted: readonly ListItem[], live: readonly LiveListItem[]): ListItemChanges {
  const left = new Map(live.map((one) => [listItemKey(one.item), one]));
  const add: ListItem[] = [];
  const change: ListItemChange[] = [];
  for (const item of wanted) {
    const key = listItemKey(item);
    const found = left.get(key);
    left.delete(key);
    if (found === undefined) {
      add.push(item);
    } else if (!isItemAsWanted(item, found.item)) {
      change.push({ before: found.item, after: withUnsaid(item, found.item) });
    }
  }
  return { add, change, remove: [...left.values()] };
}

/** Adds what the file does not say and the service has said. */
function withUnsaid(wanted: ListItem, live: ListItem): ListItem {
  return 'source_url' in wanted &&
    'source_url' in live &&
    wanted.subpath_matching === true &&
    wanted.preserve_path_suffix === undefined &&
    live.preserve_path_suffix !== undefined
    ? { ...wanted, preserve_path_suffix: live.preserve_path_suffix }
    : wanted;
}

function countChanges({ add, change, remove }: ListItemChanges): number {
  return add.length + change.length + remove.length;
}

interface StepParts {
  readonly live: LiveList | undefined;
  readonly changes: ListItemChanges;
  readonly input: ListsInput;
}

function stepOf(
  operation: ListStep['operation'],
  { name, kind, description, cause }: DesiredList,
  { live, changes, input }: StepParts,
): PlannedObject<ListStep> {
  const { scope, rules, known, awaited } = input;
  const judged = judgeList({
    id: listStepId(scope, name),
    name,
    kind,
    operation,
    changes,
    items: live?.items ?? [],
    rules: rules.filter((rule) => rule.lists.has(name) && rule.live.has(name)),
    unread: unreadOf(live, known.get(name) ?? 0),
    isAwaited: awaited.has(name),
  });
  const before = live?.description ?? '';
  const after = operation === 'delete' ? '' : (description ?? before);
  const step: ListStep = {
    id: listStepId(scope, name),
    operation,
    target: { kind: 'list', name, holds: kind },
    base: baseOf(live),
    ...(before === after ? {} : { description: { before, after } }),
    items: changes,
    writing: writingOf(changes, live?.items.length ?? 0, judged),
    protection: judged.protection,
    ...(judged.back.length === 0 ? {} : { back: judged.back }),
    turn: operation === 'delete' || judged.turn === 'last' ? 'last' : 'first',
    cause,
  };
  return { step, findings: judged.findings };
}

/** Returns how many more rules name a list, as the service counts, than were read; null where it does not say. */
function unreadOf(
  live: Pick<LiveListHead, 'referenceCount'> | null | undefined,
  known: number,
): number | null {
  const { referenceCount: all } = live ?? { referenceCount: 0 };
  return all === null ? null : Math.max(0, all - known);
}

function baseOf(live: LiveListHead | undefined): ListBase {
  return live === undefined
    ? { kind: 'absent' }
    : {
        kind: 'list',
        id: live.id,
        modifiedOn: live.modifiedOn,
        items: live.itemCount,
      };
}

/** The most items that are sent in one request; a list that is larger is never replaced as a whole. */
export const MOST_ITEMS_SENT = 5000;

/**
 * Chooses how items are written. One PUT of all takes one operation instead of two, and nothing is in between: it is chosen where additions and
 * removals both are needed and have mixed effects, or where it sends no more items than these. Otherwise what strengthens goes first.
 */
function writingOf(changes: ListItemChanges, live: number, { adding, removing }: JudgedList): ListWriting {
  const { add, change, remove } = changes;
  const written = add.length + change.length;
  const after = live + add.length - remove.length;
  const isMixed = adding !== removing && (adding === 'weaker' || removing === 'weaker');
  return written > 0 &&
    remove.length > 0 &&
    after <= MOST_ITEMS_SENT &&
    (isMixed || after <= written + remove.length)
    ? 'replace'
    : removing === 'stronger' && adding !== 'stronger'
      ? 'remove-add'
      : adding === 'weaker' && removing !== 'weaker'
        ? 'remove-add'
        : 'add-remove';
}

function kindError(
  strange: readonly DesiredList[],
  live: ReadonlyMap<string, { readonly kind: LiveListHead['kind'] }>,
): PlanError {
  const kindOf = (kind: LiveListHead['kind'] | undefined): string =>
    typeof kind === 'object' ? kind.unknown : (kind ?? '');
  return {
    code: 'plan/list-kind',
    message: strange
      .map(
        (list) =>
          `${formatPlace(list.cause)}: the list ${list.name} is declared with kind ${list.kind}, and live it has kind ${kindOf(live.get(list.name)?.kind)}`,
      )
      .join('\n'),
    hint: 'the kind of a list never changes: declare one of another name, let the rules name that, and then delete the old one with absent: true',
  };
}

/** The list of a step that was not planned from files, and who names it; nobody is known to where the rules were not read. */
interface ListOfStep {
  readonly head: LiveListHead | null;
  readonly items: readonly LiveListItem[];
  readonly rules?: readonly ListNamingRule[];
  /** How many live rules that name it were read. */
  readonly known?: number;
}

/** Judges a step that was not planned from files, such as one that undoes another, or comes from a file. */
export function judgedStep(
  step: ListStep,
  { head, items, rules = [], known = 0 }: ListOfStep,
): PlannedObject<ListStep> {
  const judged = judgeList({
    id: step.id,
    name: step.target.name,
    kind: step.target.holds,
    operation: step.operation,
    changes: step.items,
    items,
    rules,
    unread: unreadOf(head, known),
    isAwaited: false,
  });
  const { back: _back, ...rest } = step;
  const back = judged.back.length === 0 ? {} : { back: judged.back };
  return { step: { ...rest, protection: judged.protection, ...back }, findings: judged.findings };
}
