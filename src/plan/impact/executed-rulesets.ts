import {
  isWritten,
  executedReference,
  addressOfRuleset,
  describedName,
  stopsRequests,
  skipOf,
  skipsRule,
  FIRMEST,
  strengthOf,
} from '../../model/index.ts';
import { memoise } from '../../data/index.ts';
import type {
  Step,
  LiveRuleset,
  LiveRulesetHead,
  RulesetAddress,
  LiveScope,
  RuleChange,
  RuleContent,
} from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import { alsoWeakening } from './security-effect.ts';
import type { ExecutedRuleset, ExecutedRulesets } from './security-effect.ts';
import { firmness } from './judge-order.ts';
import { conditionOf, createProofs } from './conditions.ts';
import type { Proofs } from './conditions.ts';
import { executedBy, markBothWays, phasesOf } from './phase-rules.ts';
import type { About, PhaseRules, RuleInPhase, RulesInPhase, PlanSide } from './phase-rules.ts';

/**
 * Returns a look-up of a scope's custom rulesets, with the contents of their rules before and after a plan, as far as they were read. `stepAt`
 * gives the plan's step for a ruleset; it is called only when a rule executes the ruleset.
 */
export function executedRulesets(
  { entries, users = [], catalogue }: LiveScope,
  stepAt: (address: RulesetAddress) => Step | null | undefined,
): ExecutedRulesets {
  const rulesetOf = (address: RulesetAddress, name: string, live: LiveRuleset | null): ExecutedRuleset => ({
    name,
    rules: [
      ...(live?.rules ?? []).map(({ content }) => content),
      ...(stepAt(address)?.changes ?? []).filter(isWritten).map(({ content }) => content),
    ],
  });
  return memoise((reference: string): ExecutedRuleset | undefined => {
    for (const { address, slot } of entries) {
      const live = slot.kind === 'present' ? slot.ruleset : null;
      if (address.kind === 'custom' && reference === (live?.id ?? `custom:${slug(address.name)}`)) {
        return rulesetOf(address, address.name, live);
      }
    }
    const read = users.find(({ id }) => id === reference);
    if (read !== undefined) {
      return rulesetOf(addressOfRuleset(read), read.name, read);
    }
    const head = catalogue.find(({ id, kind }) => id === reference && kind === 'custom');
    return head === undefined ? undefined : { name: head.name, rules: undefined };
  });
}

/** Returns the custom rulesets that were not read and that changed rules execute before or after. */
export function unreadExecuted(
  steps: readonly Step[],
  { entries, users = [], catalogue }: LiveScope,
): readonly LiveRulesetHead[] {
  const rulesets = entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset] : []));
  const read = new Set([...rulesets, ...users].map(({ id }) => id));
  const unread = catalogue.filter(({ id, kind }) => kind === 'custom' && !read.has(id));
  if (unread.length === 0) {
    return [];
  }
  const before = new Map(
    rulesets.flatMap(({ rules }) =>
      rules.map(({ id, content }) => [id, executedReference(content)] as const),
    ),
  );
  const executed = new Set(
    steps.flatMap(({ changes }) =>
      changes.flatMap((change) => [
        change.kind === 'add' ? undefined : before.get(change.id),
        isWritten(change) ? executedReference(change.content) : undefined,
      ]),
    ),
  );
  return unread.filter(({ id }) => executed.has(id));
}

/**
 * Marks the changes by which a rule of an executed ruleset newly ends evaluation more softly than a rule after the `execute` would. Each ruleset
 * is planned by itself; only here are the rules of a custom ruleset and those of the entry point judged together. Changes of the `execute` itself
 * are judged where it stands.
 */
export function withSofterInside(steps: readonly Step[], live: LiveScope): readonly Step[] {
  const affected = new Set(
    steps.flatMap(({ target, changes }) => (changes.some(mayMatter) ? [target.phase] : [])),
  );
  if (affected.size === 0) {
    return steps;
  }
  const phases = phasesOf(steps, live, affected);
  const found = (way: About['way']): ReadonlyMap<RuleChange, string> =>
    new Map(phases.flatMap((phase) => [...softerIn(phase, way)]));
  return markBothWays(steps, found, marked);
}

/** A cheap first test: only a challenge can end evaluation more softly than another rule, and only a skip can keep it from doing so. */
function mayMatter(change: RuleChange): boolean {
  const contents = [
    ...('content' in change ? [change.content] : []),
    ...('before' in change ? [change.before] : []),
  ];
  return (
    change.kind === 'move' || contents.some((content) => skipOf(content) !== undefined || isSoft(content))
  );
}

function isSoft(content: RuleContent | null): boolean {
  return (
    content?.enabled === true && stopsRequests(content.action) && (strengthOf(content.action) ?? 0) < FIRMEST
  );
}

function marked(change: RuleChange, forth: string | undefined, back: string | undefined): RuleChange {
  return {
    ...change,
    ...(forth === undefined
      ? {}
      : { protection: alsoWeakening(change.protection, { reason: forth, isProven: true }) }),
    ...(back === undefined ? {} : { undoing: back }),
  };
}

function softerIn({ entrypoint, custom }: PhaseRules, way: About['way']): ReadonlyMap<RuleChange, string> {
  const found = new Map<RuleChange, string>();
  const proofs = createProofs();
  const tell = (change: RuleChange | undefined, reason: string): void => {
    if (change !== undefined && !found.has(change)) {
      found.set(change, reason);
    }
  };
  if (entrypoint === undefined) {
    return found;
  }
  for (const [reference, inside] of custom) {
    for (const caller of entrypoint[way.to].filter((rule) => executedBy(rule[way.to]) === reference)) {
      for (const rule of inside[way.to].filter((one) => isSoft(one[way.to]))) {
        const at = { rule, caller, reference, inside, entrypoint, custom, way, proofs };
        const cause = reachedMore(at);
        const firmer = cause === undefined ? undefined : firmerAfter(at, cause);
        if (cause !== undefined && firmer !== undefined) {
          tell(cause.change, cause.tell(firmer));
        }
      }
    }
  }
  return found;
}

/** A soft rule of a custom ruleset, and a rule that executes the ruleset. */
interface Inside {
  readonly rule: RuleInPhase;
  readonly caller: RuleInPhase;
  /** How the entry point names the ruleset. */
  readonly reference: string;
  readonly inside: RulesInPhase;
  readonly entrypoint: RulesInPhase;
  readonly custom: PhaseRules['custom'];
  readonly way: About['way'];
  readonly proofs: Proofs;
}

/** Why more requests reach a soft rule than before. */
interface ExposureCause {
  readonly change: RuleChange | undefined;
  /** Whether the rule itself was skipped, and not the rest of its ruleset. */
  readonly isAlone: boolean;
  readonly tell: (firmer: string) => string;
}

function reachedMore(at: Inside): ExposureCause | undefined {
  const { rule, inside, entrypoint, reference, way, proofs } = at;
  const [before, after] = [rule[way.from], rule[way.to]];
  const action = after?.action ?? '';
  const ends = (firmer: string): string => `ends evaluation with ${action} before ${firmer}`;
  if (after === null) {
    return undefined;
  }
  const isKept =
    before !== null &&
    isSoft(before) &&
    (before.expression === after.expression || proofs.isWithin(after.expression, before.expression));
  if (!isKept) {
    return { change: rule.change, isAlone: false, tell: ends };
  }
  const cause = (skip: RuleInPhase, isAlone: boolean): ExposureCause => ({
    // A skip that is as it was no longer comes before the rule since one of the two moved.
    change: skip.change ?? rule.change,
    isAlone,
    tell: (firmer) =>
      skip.change === undefined
        ? ends(firmer)
        : `no longer skips ${describedName(rule.ref, after.description)}, which ${ends(firmer)}`,
  });
  const rest = inside[way.from]
    .slice(0, inside[way.from].indexOf(rule))
    .find((one) => skipsRest(one[way.from]) && isLost(one, after, at));
  if (rest !== undefined) {
    return cause(rest, false);
  }
  const naming = entrypoint[way.from]
    .slice(0, Math.max(entrypoint[way.from].indexOf(at.caller), 0))
    .find(
      (one) => names(one[way.from], { reference, rule }) !== undefined && isLost(one, after, at, entrypoint),
    );
  return naming === undefined
    ? undefined
    : cause(naming, names(naming[way.from], { reference, rule }) === 'rule');
}

/** Whether a skip skips the rest of its own ruleset and nothing after the `execute`. */
function skipsRest(content: RuleContent | null): boolean {
  const skip = content?.enabled === true ? skipOf(content) : undefined;
  return skip !== undefined && skip.ruleset && !skip.phase && skip.phases.length === 0;
}

/** Whether a skip names a rule of a custom ruleset, or the whole ruleset; undefined if neither. */
function names(
  content: RuleContent | null,
  { reference, rule }: Pick<Inside, 'reference' | 'rule'>,
): 'rule' | 'ruleset' | undefined {
  const skip = content?.enabled === true ? skipOf(content) : undefined;
  if (skip === undefined) {
    return undefined;
  }
  return skip.rulesets.includes(reference)
    ? 'ruleset'
    : skipsRule(skip, reference, rule.id)
      ? 'rule'
      : undefined;
}

/** Whether a skip that came before a soft rule no longer skips it for all the requests that it skipped it for. */
function isLost(skip: RuleInPhase, soft: RuleContent, at: Inside, list: RulesInPhase = at.inside): boolean {
  const { rule, caller, way, proofs } = at;
  const [before, after] = [skip[way.from], skip[way.to]];
  if (before === null || proofs.areApart(conditionOf(before.expression), conditionOf(soft.expression))) {
    return false;
  }
  const target = list === at.inside ? rule : caller;
  const still = list === at.inside ? skipsRest(after) : names(after, at) !== undefined;
  return !(
    after !== null &&
    still &&
    list[way.to].indexOf(skip) < list[way.to].indexOf(target) &&
    (after.expression === before.expression || proofs.isWithin(before.expression, after.expression))
  );
}

/** Returns the first rule that comes after a soft one, before and after the plan, and would end evaluation more firmly for a shared request. */
function firmerAfter(
  { rule, caller, inside, entrypoint, custom, way, proofs }: Inside,
  cause: ExposureCause,
) {
  const soft = rule[way.to];
  const called = caller[way.to];
  if (soft === null || called === null) {
    return undefined;
  }
  const condition = conditionOf(`(${called.expression}) and (${soft.expression})`);
  const after = (list: RulesInPhase, one: RuleInPhase, side: PlanSide): readonly RuleInPhase[] =>
    list[side].slice(list[side].indexOf(one) + 1);
  const stayed = (list: RulesInPhase, one: RuleInPhase): readonly RuleInPhase[] => {
    const before = new Set(after(list, one, way.from));
    return after(list, one, way.to).filter((other) => before.has(other));
  };
  const isFirmer = (content: RuleContent | null): boolean => {
    const ruleset = custom.get(executedBy(content) ?? '');
    return (
      content?.enabled === true &&
      (ruleset === undefined
        ? firmness(content) > firmness(soft)
        : ruleset[way.to].some((one) => isFirmer(one[way.to])))
    );
  };
  const found = [...(cause.isAlone ? stayed(inside, rule) : []), ...stayed(entrypoint, caller)].find(
    (other) => {
      const content = other[way.to];
      return (
        content !== null &&
        isFirmer(content) &&
        isFirmer(other[way.from]) &&
        !proofs.areApart(condition, conditionOf(content.expression))
      );
    },
  );
  const content = found?.[way.to];
  return found === undefined || content === null || content === undefined
    ? undefined
    : `${describedName(found.ref, content.description)}, which may ${executedReference(content) !== undefined ? 'do more' : content.action}`;
}
