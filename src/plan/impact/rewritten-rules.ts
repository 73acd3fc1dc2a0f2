import { counted } from '../../text/index.ts';
import type { LiveScope, RuleChange, RuleContent, Step } from '../../model/index.ts';
import {
  describedName,
  isWritten,
  phaseFacts,
  phaseOrder,
  stopsRequests,
  zoneName,
  actionKind,
} from '../../model/index.ts';
import { objectOf, jsonEqual } from '../../data/index.ts';
import { compareExpressions } from '../compare/compare-rules.ts';
import { conditionOf, createProofs } from './conditions.ts';
import type { Proofs } from './conditions.ts';
import { firmness } from './judge-order.ts';
import { markBothWays, phasesOf } from './phase-rules.ts';
import type { About, PhaseRules, RuleInPhase, RulesInPhase, PlanSide } from './phase-rules.ts';
import { effectDirectionOf } from './rule-effects.ts';
import { alsoWeakening } from './security-effect.ts';
import type { Answers, Rewriting } from './rewritten-match.ts';
import {
  answersFor,
  BECOMES_FALSE,
  BECOMES_TRUE,
  readsUrl,
  rewritingOf,
  STAYS_TRUE,
  rewritesUrl,
} from './rewritten-match.ts';

/**
 * Marks the changes of URL rewrites by which a protecting rule of a later phase no longer matches what it matched, or one that lets requests
 * past others, or stops them more softly, newly matches. Each ruleset is planned by itself; only here are the rules of several phases judged
 * together, as far as they were read. A rewrite of which no later rule takes notice is neutral.
 */
export function withRewritten(steps: readonly Step[], live: LiveScope): readonly Step[] {
  const rewriting = steps.find(isRewriting);
  if (rewriting === undefined) {
    return steps;
  }
  const { phase: rewritten } = rewriting.target;
  const names = [
    ...live.entries.map(({ address }) => address.phase),
    ...steps.map((one) => one.target.phase),
  ];
  const later = names.filter((name) => phaseOrder(name) > phaseOrder(rewritten));
  const [own, ...phases] = phasesOf(steps, live, new Set([rewritten, ...later]));
  if (own === undefined) {
    return steps;
  }
  const found = (way: About['way']): ReadonlyMap<RuleChange, ToldRewrite> =>
    rewrittenIn(own, { way, live, readers: phases.flatMap((phase) => readersIn(phase, way.to, live)) });
  return markBothWays(steps, found, marked);
}

/** Whether a step may change how URLs are rewritten, of which rules of later phases can take notice. */
export function isRewriting({ target, changes }: Step): boolean {
  return rewritesUrl(target.phase) && changes.some(mayRewrite);
}

function mayRewrite(change: RuleChange): boolean {
  const rewrites = ({ action, action_parameters: parameters = {} }: RuleContent): boolean =>
    actionKind(action) === 'rewrite' && parameters['uri'] !== undefined;
  return (
    change.kind === 'move' ||
    (isWritten(change) && rewrites(change.content)) ||
    ('before' in change && rewrites(change.before))
  );
}

interface ToldRewrite {
  readonly reason: string;
  readonly isProven: boolean;
}

function marked(
  change: RuleChange,
  forth: ToldRewrite | undefined,
  back: ToldRewrite | undefined,
): RuleChange {
  return {
    ...change,
    ...(forth === undefined ? {} : { protection: alsoWeakening(change.protection, forth) }),
    ...(back === undefined
      ? {}
      : { undoing: back.reason, ...(back.isProven ? {} : { undoingProven: false }) }),
  };
}

/** A rule of a later phase that reads the URL. */
interface FieldReader {
  readonly name: string;
  readonly phase: string;
  /** What it compares with requests: when it acts, and what it counts. */
  readonly conditions: readonly string[];
  /** Whether requests are protected less when it does not match them. */
  readonly isMissed: boolean;
  /** Whether requests may be protected less when it matches them: it lets them past other rules, or ends evaluation more softly. */
  readonly isFeared: boolean;
}

function readersIn(phase: PhaseRules, side: PlanSide, { scope }: LiveScope): readonly FieldReader[] {
  const context = { scope, phase: phase.phase };
  const enabled = (list: RulesInPhase | undefined): readonly EnabledRule[] =>
    (list?.[side] ?? []).flatMap((rule) => {
      const content = rule[side];
      return content?.enabled === true ? [{ ref: rule.ref, content }] : [];
    });
  const entry = enabled(phase.entrypoint);
  const firmest = (rules: readonly EnabledRule[]): number =>
    rules.reduce((most, { content }) => Math.max(most, firmness(content)), 0);
  return [
    ...entry.map((rule, at) => readerOf(rule, () => firmest(entry.slice(at + 1)))),
    // What comes after a custom ruleset depends on who executes it.
    ...[...phase.custom.values()].flatMap((list) => {
      const inside = enabled(list);
      return inside.map((rule) => readerOf(rule, () => firmest([...inside, ...entry])));
    }),
  ].flatMap((found) => found ?? []);

  function readerOf({ ref, content }: EnabledRule, firmestAfter: () => number): FieldReader | undefined {
    const { action, expression, ratelimit = {}, description } = content;
    const counting = ratelimit['counting_expression'];
    const conditions = [expression, ...(typeof counting === 'string' ? [counting] : [])].filter(readsUrl);
    const direction = conditions.length === 0 ? 'none' : effectDirectionOf(content, context);
    const kind = actionKind(action);
    const isMissed = direction === 'protects' || kind === 'execute';
    const isFeared =
      kind === 'skip' ||
      (kind === 'execute' && phase.custom.size > 0) ||
      (stopsRequests(action) && ratelimit['period'] === undefined && firmness(content) < firmestAfter());
    return direction !== 'none' && (isMissed || isFeared)
      ? { name: describedName(ref, description), phase: phase.phase, conditions, isMissed, isFeared }
      : undefined;
  }
}

/** A rule of a later phase that acts. */
interface EnabledRule {
  readonly ref: string;
  readonly content: RuleContent;
}

interface Task {
  readonly way: About['way'];
  readonly live: LiveScope;
  readonly readers: readonly FieldReader[];
}

function rewrittenIn({ entrypoint, custom }: PhaseRules, task: Task): ReadonlyMap<RuleChange, ToldRewrite> {
  const found = new Map<RuleChange, ToldRewrite>();
  const { way } = task;
  const proofs = createProofs();
  for (const list of [entrypoint, ...custom.values()]) {
    const rewrites = new Set([...(list?.[way.from] ?? []), ...(list?.[way.to] ?? [])]);
    for (const rule of rewrites) {
      const told = rule.change === undefined ? undefined : toldOf(rule, [...rewrites], { ...task, proofs });
      if (rule.change !== undefined && told !== undefined) {
        found.set(rule.change, told);
      }
    }
  }
  return found;
}

function toldOf(
  rule: RuleInPhase,
  rewrites: readonly RuleInPhase[],
  { way, live: { scope }, readers, proofs }: Task & { readonly proofs: Proofs },
): ToldRewrite | undefined {
  const [from, to] = [rule[way.from], rule[way.to]];
  const others = rewrites.filter((one) => one !== rule);
  const zone = scope.kind === 'zone' ? zoneName(scope).bare : undefined;
  const rewriting = (content: RuleContent | null): Rewriting | undefined =>
    rewritingOf(content, { zone, isAlone: others.every((one) => isApartFrom(content, one, proofs)) });
  const [old, now] = [rewriting(from), rewriting(to)];
  const isSettled = !isMoved(rule.change) || now?.isAlone === true;
  /** Whether what one content rewrites the other rewrites just so. */
  const isCovered = (one: RuleContent | null, other: RuleContent | null): boolean =>
    one !== null &&
    other?.enabled === true &&
    isSettled &&
    jsonEqual(uriOf(one), uriOf(other)) &&
    (compareExpressions(one.expression, other.expression) !== 'different' ||
      proofs.isWithin(one.expression, other.expression));
  const answered = ({ conditions }: FieldReader, one: Rewriting | undefined): readonly Answers[] =>
    one === undefined ? [] : conditions.map((text) => answersFor(text, one));
  const effects = readers.map((reader) => ({
    ...reader,
    ends: isCovered(from, to) ? [] : answered(reader, old),
    begins: isCovered(to, from) ? [] : answered(reader, now),
  }));
  const reasons = REASONS.flatMap(({ isSure, when, says }) => {
    const readers = inWords(effects.filter(when));
    return readers === undefined ? [] : [{ isSure, reason: says(readers) }];
  });
  return reasons.length === 0
    ? undefined
    : {
        reason: reasons.map(({ reason }) => reason).join('; '),
        isProven: (now ?? old)?.isAlone === true && reasons.some(({ isSure }) => isSure),
      };
}

/** A reader, and how it may answer for the requests that a rule rewrites no longer, and for those that it comes to rewrite. */
interface RewriteEffect extends FieldReader {
  readonly ends: readonly Answers[];
  readonly begins: readonly Answers[];
}

/** Whether an answer changes in this way, for all requests that were matched or only for some. */
function changes(all: readonly Answers[], way: Answers, isForAll: boolean): boolean {
  return all.some((one) => (one & way) !== 0 && ((one & STAYS_TRUE) === 0) === isForAll);
}

/** What is said of rewrites, what is sure first. */
const REASONS: readonly {
  readonly isSure: boolean;
  readonly when: (effect: RewriteEffect) => boolean;
  readonly says: (readers: string) => string;
}[] = [
  {
    isSure: true,
    when: ({ isMissed, begins }) => isMissed && changes(begins, BECOMES_FALSE, true),
    says: (readers) => `keeps requests from ${readers}, which sees only the new URL`,
  },
  {
    isSure: true,
    when: ({ isMissed, ends }) => isMissed && changes(ends, BECOMES_TRUE, true),
    says: (readers) => `no longer writes the URL that ${readers} matches`,
  },
  {
    isSure: false,
    when: ({ isMissed, begins }) => isMissed && changes(begins, BECOMES_FALSE, false),
    says: (readers) => `may keep requests from ${readers}, which sees only the new URL`,
  },
  {
    isSure: false,
    when: ({ isMissed, ends }) => isMissed && changes(ends, BECOMES_TRUE, false),
    says: (readers) => `may no longer write a URL that ${readers} matches`,
  },
  {
    isSure: false,
    when: ({ isFeared, ends, begins }) =>
      isFeared &&
      [...begins.map((one) => one & BECOMES_TRUE), ...ends.map((one) => one & BECOMES_FALSE)].some(Boolean),
    says: (readers) => `may bring more requests to ${readers}, which protects less than other rules`,
  },
];

function isMoved(change: RuleChange | undefined): boolean {
  return change?.kind === 'move' || (change?.kind === 'patch' && change.move !== undefined);
}

function uriOf({ action_parameters: parameters = {} }: RuleContent) {
  return objectOf(parameters['uri']);
}

function isApartFrom(content: RuleContent | null, other: RuleInPhase, proofs: Proofs): boolean {
  return [other.before, other.after].every(
    (one) =>
      content === null ||
      one?.enabled !== true ||
      Object.keys(uriOf(one)).length === 0 ||
      proofs.areApart(conditionOf(content.expression), conditionOf(one.expression)),
  );
}

/** Names the first rule, and counts the others. */
function inWords([first, ...more]: readonly FieldReader[]): string | undefined {
  if (first === undefined) {
    return undefined;
  }
  const { name, phase } = first;
  const rest = more.length === 0 ? '' : ` and ${counted(more.length, 'more rule')}`;
  return `rule ${name} (${phaseFacts(phase)?.product ?? phase})${rest}`;
}
