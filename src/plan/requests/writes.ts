import {
  executedReference,
  referredRef,
  skippedRules,
  isReplaced,
  isWritten,
  ruleToWire,
  changeKey,
  entryKey,
  isPlaced,
  orderAfter,
} from '../../model/index.ts';
import { assertNever } from '../../data/index.ts';
import type {
  RuleChange,
  CreateStep,
  RulesetTarget,
  Step,
  UpdateStep,
  OrderEntry,
} from '../../model/index.ts';
import type { JsonObject } from '../../data/index.ts';

/** The rule after which a written rule is placed: a live one, one that this step adds, or none (`first`). */
export type Anchor = OrderEntry | { readonly kind: 'first' };

/** One request that changes something; rules are in wire form. */
export type Write =
  | {
      readonly kind: 'create-ruleset';
      readonly target: RulesetTarget;
      readonly description: string;
      readonly rules: readonly JsonObject[];
    }
  | {
      readonly kind: 'put-ruleset';
      readonly id: string;
      readonly description: string | null;
      /** Null: the rules stay as they are (api.md 2.2). */
      readonly rules: readonly JsonObject[] | null;
    }
  | {
      readonly kind: 'add-rule';
      readonly id: string;
      readonly ref: string;
      readonly rule: JsonObject;
      readonly behind: Anchor;
    }
  | {
      readonly kind: 'patch-rule';
      readonly id: string;
      readonly ruleId: string;
      /** Null: only the place changes. */
      readonly rule: JsonObject | null;
      readonly behind: Anchor | null;
    }
  | { readonly kind: 'delete-rule'; readonly id: string; readonly ruleId: string }
  | { readonly kind: 'delete-ruleset'; readonly id: string };

/**
 * How a ruleset is written. `auto`: a single change uses the rule's own endpoint, several go as one PUT, which is atomic. `rules` and `ruleset`
 * force one of the two. All lead to the same state.
 */
export type WriteStrategy = 'auto' | 'rules' | 'ruleset';

/** What a write does to protection: strengthening writes go first, weakening ones last. */
export type Urgency = 'strengthening' | 'neutral' | 'weakening';

/** A write, and when it should be made. */
export interface PlannedWrite {
  readonly write: Write;
  readonly urgency: Urgency;
}

/** Returns the requests that carry out a step, in order. */
export function writesOf(step: Step, strategy: WriteStrategy): readonly Write[] {
  return plannedWrites(step, strategy).map((planned) => planned.write);
}

/** Like `writesOf`, but each write comes with its urgency. */
export function plannedWrites(step: Step, strategy: WriteStrategy): readonly PlannedWrite[] {
  const whole = (write: Write): PlannedWrite => ({ write, urgency: urgencyOf(step.changes) });
  switch (step.operation) {
    case 'create':
      return [whole(createRuleset(step))];
    case 'delete':
      return step.base.kind === 'version' ? [whole({ kind: 'delete-ruleset', id: step.base.id })] : [];
    case 'update':
      return step.base.kind === 'version' ? updateWrites(step, step.base.id, strategy) : [];
    default:
      return assertNever(step);
  }
}

function updateWrites(step: UpdateStep, id: string, strategy: WriteStrategy): readonly PlannedWrite[] {
  const description = step.description?.after ?? null;
  const describe: PlannedWrite = {
    write: { kind: 'put-ruleset', id, description, rules: null },
    urgency: 'neutral',
  };
  const single = step.changes.length + (description === null ? 0 : 1) === 1;
  if (step.changes.length === 0) {
    return [describe];
  }
  const singles = inOrder(step);
  const isList =
    strategy === 'ruleset' ||
    (strategy === 'auto' && !single && !namesItsOwn(step, id)) ||
    (strategy === 'rules' && executesTwice(step, singles));
  if (isList) {
    const write: Write = { kind: 'put-ruleset', id, description, rules: wholeList(step) };
    return [{ write, urgency: urgencyOf(step.changes) }];
  }
  const rules = ruleWrites(step, id, singles);
  const strengthened = rules.findLastIndex(({ urgency }) => urgency === 'strengthening') + 1;
  return description === null ? rules : rules.toSpliced(strengthened, 0, describe);
}

/** Whether a rule names another rule of its ruleset that has no id yet, so that one PUT cannot create both. */
function namesItsOwn(step: UpdateStep, id: string): boolean {
  return step.changes.some((change) => {
    const own = isWritten(change) ? skippedRules(change.content).get(id) : undefined;
    return own?.some((name) => referredRef(name) !== undefined) === true;
  });
}

/**
 * Whether carrying out changes in this order would, at some point, have two rules of a zone's entry point execute one ruleset: a zone runs a
 * managed ruleset once, and refuses the second rule however short the time (api.md 4.4).
 */
function executesTwice({ target, changes: all }: UpdateStep, changes: readonly RuleChange[]): boolean {
  const now = new Map(
    all.filter(isReplaced).map((change) => [changeKey(change), executedReference(change.before)]),
  );
  return (
    target.level === 'zone' &&
    changes.some((change) => {
      const id = isWritten(change) ? executedReference(change.content) : undefined;
      now.delete(changeKey(change));
      const isTwice = id !== undefined && [...now.values()].includes(id);
      now.set(changeKey(change), id);
      return isTwice;
    })
  );
}

/** Returns the urgency of changes written together: if one of them strengthens, the write cannot wait. */
function urgencyOf(changes: readonly RuleChange[]): Urgency {
  const kinds = new Set(changes.map((change) => change.protection.kind));
  return kinds.has('strengthening') ? 'strengthening' : kinds.has('weakening') ? 'weakening' : 'neutral';
}

const RANK: Readonly<Record<Urgency, number>> = { strengthening: 0, neutral: 1, weakening: 2 };

/** Compares urgencies for sorting. */
export function byUrgency(a: Urgency, b: Urgency): number {
  return RANK[a] - RANK[b];
}

/**
 * Orders single operations: strengthening first and weakening last, and deletions last within each kind, so that no protection is missing in
 * between; deletions come before everything else only when the quota requires it.
 */
function inOrder({ changes, deletesFirst }: UpdateStep): readonly RuleChange[] {
  const rank = (change: RuleChange): number => {
    const isDelete = change.kind === 'delete';
    return isDelete && deletesFirst === true ? -1 : RANK[change.protection.kind] * 2 + (isDelete ? 1 : 0);
  };
  return [...changes].sort((a, b) => rank(a) - rank(b));
}

/**
 * Builds the writes for single operations in this order. Each rule is placed after its nearest predecessor that is already in its final
 * relative place, so that every position is right whatever has not been written yet.
 */
function ruleWrites(step: UpdateStep, id: string, changes: readonly RuleChange[]): readonly PlannedWrite[] {
  const order = orderAfter(step);
  const placeOf = new Map(order.map((entry, index) => [entryKey(entry), index]));
  const unplaced = new Set(step.changes.flatMap((change) => (isPlaced(change) ? [changeKey(change)] : [])));
  const behind = (change: RuleChange): Anchor => {
    unplaced.delete(changeKey(change));
    for (let at = (placeOf.get(changeKey(change)) ?? 0) - 1; at >= 0; at -= 1) {
      const entry = order[at];
      if (entry !== undefined && !unplaced.has(entryKey(entry))) {
        return entry;
      }
    }
    return { kind: 'first' };
  };
  return changes.map((change) => ({
    write: ruleWrite(change, id, isPlaced(change) ? behind(change) : null),
    urgency: change.protection.kind,
  }));
}

function ruleWrite(change: RuleChange, id: string, behind: Anchor | null): Write {
  switch (change.kind) {
    case 'add':
      return {
        kind: 'add-rule',
        id,
        ref: change.ref,
        rule: ruleToWire(change),
        behind: behind ?? { kind: 'first' },
      };
    case 'patch':
    case 'move':
      return {
        kind: 'patch-rule',
        id,
        ruleId: change.id,
        rule: change.kind === 'patch' ? ruleToWire(change) : null,
        behind,
      };
    case 'delete':
      return { kind: 'delete-rule', id, ruleId: change.id };
    default:
      return assertNever(change);
  }
}

/** Builds the whole list for a PUT: unchanged rules by id only, so that they keep everything (api.md 6.1). */
function wholeList(step: CreateStep | UpdateStep): readonly JsonObject[] {
  const written = new Map<string, JsonObject>();
  for (const change of step.changes) {
    if (change.kind === 'add') {
      written.set(changeKey(change), ruleToWire(change));
    } else if (change.kind === 'patch') {
      written.set(changeKey(change), { id: change.id, ...ruleToWire(change) });
    }
  }
  return orderAfter(step).map(
    (entry) =>
      written.get(entryKey(entry)) ?? (entry.kind === 'live' ? { id: entry.id } : { ref: entry.ref }),
  );
}

function createRuleset(step: CreateStep): Write {
  return {
    kind: 'create-ruleset',
    target: step.target,
    description: step.description,
    rules: wholeList(step),
  };
}
