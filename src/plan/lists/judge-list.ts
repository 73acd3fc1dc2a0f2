import { describedName, listItemKey, ruleName, scopeLabel } from '../../model/index.ts';
import type {
  GuardFinding,
  ListItemChanges,
  ListKind,
  ListStep,
  ListWayBack,
  LiveListItem,
  Protection,
} from '../../model/index.ts';
import { counted, oneLine } from '../../text/index.ts';
import type { SecurityImpact } from '../impact/security-effect.ts';
import { protectionOf, SAME, together, unproven } from '../impact/security-effect.ts';
import { coveredBy } from './covered-addresses.ts';
import type { ItemsMoved } from './judge-items.ts';
import { judgeItems } from './judge-items.ts';
import type { ListNamingRule } from './list-rules.ts';

/** A list that changes, and who names it. */
export interface ListToJudge {
  readonly id: string;
  readonly name: string;
  readonly kind: ListKind;
  readonly operation: ListStep['operation'];
  readonly changes: ListItemChanges;
  /** The live items. */
  readonly items: readonly LiveListItem[];
  readonly rules: readonly ListNamingRule[];
  /** How many more rules name the list than were read; null where the service does not say. */
  readonly unread: number | null;
  /** Whether the plan writes a rule that names the list, and needs it filled. */
  readonly isAwaited: boolean;
}

/** What a change of items does by one rule that names the list. */
interface RuleEffect {
  readonly rule: ListNamingRule;
  readonly how: ItemsMoved['how'];
  readonly count: number;
  readonly impact: SecurityImpact;
}

/** What a change of a list does to protection, by the rules that name it. */
export interface JudgedList {
  readonly adding: SecurityImpact['kind'];
  readonly removing: SecurityImpact['kind'];
  readonly protection: Protection;
  readonly turn: ListStep['turn'];
  readonly findings: readonly GuardFinding[];
  /** What taking the change back would do, by rule, where it does something. */
  readonly back: readonly ListWayBack[];
}

/**
 * Judges a change of items by what each rule that names the list then does. An item within a network that stays makes no difference. What rules that
 * were not read do is not known, so such a change is never called neutral.
 */
export function judgeList(list: ListToJudge): JudgedList {
  const { effects, changed, unknown } = effectsOf(list);
  const of = (how: ItemsMoved['how']): SecurityImpact =>
    together(effects.filter((effect) => effect.how === how).map(({ impact }) => impact));
  const all = together([of('added'), of('removed'), changed, unknown]);
  return {
    adding: of('added').kind,
    removing: of('removed').kind,
    protection: protectionOf(all),
    // What weakens goes last, unless a rule of this plan needs the list as it will be.
    turn: list.operation === 'update' && all.kind === 'weaker' && !list.isAwaited ? 'last' : 'first',
    findings: [
      ...effects.flatMap((effect) => effectFinding(list, effect)),
      ...stillNamed(list),
      ...(changed.kind === 'weaker' ? [finding(list, changed, `${list.id}: ${changed.reason}`)] : []),
      ...(unknown.kind === 'weaker' && (list.operation !== 'delete' || list.unread === null)
        ? [
            finding(
              list,
              unknown,
              `${list.id}: items change, and ${unknown.reason}: what these then do is not known`,
            ),
          ]
        : []),
    ],
    back: wayBack(list),
  };
}

/** What a change of items does: by each rule that was read, by items that stay, and by rules that were not read. */
interface ListEffects {
  readonly effects: readonly RuleEffect[];
  readonly changed: SecurityImpact;
  readonly unknown: SecurityImpact;
}

function effectsOf(list: ListToJudge): ListEffects {
  const moved = effectiveMoves(list);
  const effects = moved.flatMap((one) =>
    list.rules.map((rule): RuleEffect => {
      const impact = judgeItems(rule, one);
      return { rule, how: one.how, count: one.keys.length, impact };
    }),
  );
  const changed = effectOfChanges(list);
  const unknown =
    list.unread !== 0 && (moved.length > 0 || changed.kind !== 'same')
      ? unproven(
          list.unread === null
            ? 'the service does not say how many rules name it'
            : `${counted(list.unread, 'rule')} that ${list.unread === 1 ? 'names' : 'name'} it could not be read`,
        )
      : SAME;
  return { effects, changed, unknown };
}

/** Judges the change from the items of the files to those of live, by the same judge. */
function wayBack(list: ListToJudge): readonly ListWayBack[] {
  const { effects, changed, unknown } = effectsOf(takenBack(list));
  return [
    ...effects.flatMap((effect): readonly ListWayBack[] => {
      const { ref, content } = effect.rule;
      return effect.impact.kind === 'same'
        ? []
        : [
            {
              ...ruleName(ref, content.description),
              protection: protectionOf({
                ...effect.impact,
                reason: effectReason(list, effect, effect.impact.reason),
              }),
            },
          ];
    }),
    ...[changed, unknown].flatMap((impact) =>
      impact.kind === 'same' ? [] : [{ rule: '', protection: protectionOf(impact) }],
    ),
  ];
}

function takenBack(list: ListToJudge): ListToJudge {
  const { add, change, remove } = list.changes;
  const going = new Set(remove.map(({ id }) => id));
  const coming = add.map((item) => ({ id: `new ${listItemKey(item)}`, item }));
  return {
    ...list,
    changes: {
      add: remove.map(({ item }) => item),
      change: change.map(({ before, after }) => ({
        before: after,
        after: before,
      })),
      remove: coming,
    },
    items: [...list.items.filter(({ id }) => !going.has(id)), ...coming],
  };
}

/** Returns the items that come and were not within others before, and those that go and are not within others after. */
function effectiveMoves({ name, kind, changes, items }: ListToJudge): readonly ItemsMoved[] {
  const going = new Set(changes.remove.map(({ id }) => id));
  const staying = items.filter(({ id }) => !going.has(id)).map(({ item }) => listItemKey(item));
  const coming = changes.add.map(listItemKey);
  const leaving = changes.remove.map(({ item }) => listItemKey(item));
  const notWithin = (keys: readonly string[], others: readonly string[]): readonly string[] => {
    const isCovered = kind === 'ip' && keys.length > 0 ? coveredBy(others) : (): boolean => false;
    return keys.filter((key) => !isCovered(key));
  };
  const added = notWithin(coming, [...staying, ...leaving]);
  const removed = notWithin(leaving, [...staying, ...coming]);
  const moves = [
    { name, kind, how: 'added', keys: added, kept: staying[0] },
    { name, kind, how: 'removed', keys: removed, kept: staying[0] },
  ] as const;
  return moves.filter(({ keys }) => keys.length > 0);
}

/** Judges items that stay and say something else: only a host name's own exclusion matters to conditions. */
function effectOfChanges({ kind, changes, rules }: ListToJudge): SecurityImpact {
  const flipped = changes.change.filter(
    ({ before, after }) =>
      'hostname' in before &&
      'hostname' in after &&
      before.exclude_exact_hostname !== after.exclude_exact_hostname,
  );
  return kind === 'hostname' && flipped.length > 0 && rules.some(({ content }) => content.enabled)
    ? unproven(
        `${counted(flipped.length, 'item')} now mean other host names, and what that does is not known`,
      )
    : SAME;
}

function effectFinding(list: ListToJudge, effect: RuleEffect): readonly GuardFinding[] {
  const { impact, rule } = effect;
  if (impact.kind !== 'weaker') {
    return [];
  }
  const reason = effectReason(list, effect, impact.reason);
  const name = describedName(rule.ref, rule.content.description);
  return [
    {
      ...finding(list, impact, `${list.id}: rule ${name} ${reason}`),
      rule: rule.ref,
      reason,
    },
  ];
}

/** Returns where a rule is and what the change does by it. */
function effectReason({ name }: ListToJudge, { rule, how, count }: RuleEffect, does: string): string {
  const place = `${oneLine(scopeLabel(rule.scope))}/${rule.phase}`;
  return `of ${place} ${does}, with ${counted(count, 'item')} ${how === 'added' ? 'added to' : 'removed from'} the list ${name}`;
}

/** A list cannot be deleted while a rule names it (api.md 9.8); here rules that were not read, which this run leaves as they are. */
function stillNamed({ id, operation, unread }: ListToJudge): readonly GuardFinding[] {
  const [name, it] = unread === 1 ? ['names', 'it'] : ['name', 'them'];
  return operation !== 'delete' || unread === 0 || unread === null
    ? []
    : [
        {
          kind: 'referenced',
          effect: 'refuse',
          step: id,
          message: `${id} would be deleted, but the service counts ${counted(unread, 'rule')} that still ${name} it and that this run did not read, and refuses that: look in zones that no file declares, and remove the list from ${it} first`,
        },
      ];
}

function finding({ id }: ListToJudge, impact: SecurityImpact, message: string): GuardFinding {
  return {
    kind: 'weakened',
    effect: 'warn',
    step: id,
    message,
    ...(impact.kind === 'weaker' && !impact.isProven ? { proven: false } : {}),
  };
}
