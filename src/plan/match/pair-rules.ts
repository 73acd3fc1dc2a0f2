import { ruleName, formatPlace, identicalContent } from '../../model/index.ts';
import type {
  PlanNoteKind,
  PlanNote,
  LiveRule,
  RuleContent,
  DesiredRuleset,
  Move,
  RulePosition,
  RuleChange,
  Ignored,
} from '../../model/index.ts';
import { isIgnored, ignoredOf, keepIgnored } from '../compare/ignore.ts';
import { oneLine } from '../../text/index.ts';
import { carryOver } from '../compare/carry.ts';
import { compareContent } from '../compare/compare-rules.ts';
import type { RuleComparison } from '../compare/compare-rules.ts';
import type { SecurityImpact } from '../impact/security-effect.ts';
import { protectionOf } from '../impact/security-effect.ts';
import type { ArrangementRole, Wanted } from './arrange.ts';
import type { NamedRule } from './name-rules.ts';
import { keepRefsApart, owns } from './name-rules.ts';
import { matchRules, matchOptions } from './match-rules.ts';
import type { ClaimProblem } from './match-rules.ts';

/** A note that does not know its step yet. */
export type RuleNote = Omit<PlanNote, 'step'>;

/** A desired rule, completed from live, with the live rule that it describes. */
interface MatchedRule {
  readonly rule: NamedRule;
  readonly live: LiveRule;
  readonly adopts: boolean;
  readonly comparison: RuleComparison;
}

const EQUAL: RuleComparison = { kind: 'equal' };

/**
 * Compares a desired rule with its live counterpart, after completing it with what only live says and with the live values of fields that may
 * differ. Adds remarks to `notes`.
 */
export function compareMatched(
  rule: NamedRule,
  live: LiveRule,
  options: { readonly ignore: readonly Ignored[]; readonly notes: RuleNote[] },
): MatchedRule {
  if (rule.ref === live.ref && identicalContent(rule.content, live.content)) {
    return { rule, live, adopts: false, comparison: EQUAL };
  }
  const carried =
    rule.exact === true ? { content: rule.content, paths: [] } : carryOver(rule.content, live.content);
  const ref = rule.madeUp === true ? live.ref : rule.ref;
  // Matched by the final `ref`: from the takeover on, the rule is what the files say.
  const entries = ignoredOf(options.ignore, ref);
  const { content, paths, overwritten } =
    entries.length === 0
      ? { content: carried.content, paths: [], overwritten: [] }
      : keepIgnored(carried.content, live.content, entries);
  const comparison = compareContent(live.content, content);
  const adopts = ref !== live.ref;
  const about = { ...ruleName(ref, content.description), cause: rule.cause };
  const fields = carried.paths;
  if (fields.length > 0) {
    const message = `keeps what this version does not know, and does not watch it: ${fields.join(', ')}`;
    options.notes.push({ kind: 'carried', ...about, message, fields });
  }
  const reasons = [...new Set(entries.map(({ reason, until }) => `${reason}, until ${until}`))].join('; ');
  if (paths.length > 0) {
    const message = `differs from the file and stays as it is: ${paths.join(', ')} (${reasons})`;
    options.notes.push({ kind: 'ignored', ...about, message });
  }
  if (overwritten.length > 0) {
    const which = `${overwritten.join(', ')} (${reasons})`;
    const why = 'It belongs to the action, which the file changes; to keep both, ignore /action';
    const message = `is overwritten although it is ignored: ${which}. ${why}`;
    options.notes.push({ kind: 'not-ignored', ...about, message });
  }
  // A rule that gets another `ref` is written anyway, in the files' spelling.
  if (comparison.kind === 'respelled' && !adopts) {
    const message = 'same meaning, other text: the live spelling stays';
    options.notes.push({ kind: 'respelled', ...about, message });
  }
  const completed = ref === rule.ref && content === rule.content ? rule : { ...rule, ref, content };
  return { rule: completed, live, adopts, comparison };
}

/** Whether the rule is written, rather than only moved or left alone. */
export function isPatched(match: MatchedRule): boolean {
  return match.adopts || match.comparison.kind === 'different';
}

/** Returns the final content of a matched rule: a rule that is not patched keeps its live text. */
export function finalContent(match: MatchedRule): RuleContent {
  return isPatched(match) ? match.rule.content : match.live.content;
}

/** The final place of a matched rule. */
export interface Placing {
  readonly place: RulePosition;
  /** Undefined when the rule stays in place. */
  readonly move: Move | undefined;
  /** What the whole change of the rule does to protection. */
  readonly verdict: SecurityImpact;
}

/** Returns the change of a matched rule; empty when neither content nor `ref` nor place differs. */
export function changeOf(match: MatchedRule, { place, move, verdict }: Placing): readonly RuleChange[] {
  const { rule, live, comparison } = match;
  const protection = protectionOf(verdict);
  if (isPatched(match)) {
    return [
      {
        kind: 'patch',
        id: live.id,
        ref: rule.ref,
        ...(match.adopts ? { adopts: live.ref } : {}),
        before: live.content,
        content: rule.content,
        fields: comparison.kind === 'equal' ? [] : comparison.fields,
        place,
        ...(move === undefined ? {} : { move }),
        protection,
        cause: rule.cause,
      },
    ];
  }
  const { description } = live.content;
  return move === undefined
    ? []
    : [{ kind: 'move', id: live.id, ref: rule.ref, description, move, protection, cause: rule.cause }];
}

/** The desired rules, the live rules that they describe, and what becomes of the live ones. */
export interface PairedRules {
  readonly desired: readonly NamedRule[];
  readonly live: readonly LiveRule[];
  /** Index of the live rule of each desired rule; undefined for a new rule. */
  readonly liveOf: readonly Wanted[];
  /** Each live rule compared with its desired rule; undefined when no file has the rule. */
  readonly matchOf: readonly (MatchedRule | undefined)[];
  /** The role of each live rule, by index. */
  readonly roles: readonly ArrangementRole[];
  readonly notes: readonly RuleNote[];
  /** Messages on rules that name a live rule that they cannot have. */
  readonly problems: readonly string[];
}

/** Pairs desired rules with live ones, compares each pair, and decides what becomes of each live rule. */
export function pairRules(
  wanted: readonly NamedRule[],
  live: readonly LiveRule[],
  { ownership, ignore = [] }: Pick<DesiredRuleset, 'ownership' | 'ignore'>,
): PairedRules {
  const { pairs, adoptable, refused } = matchRules(wanted, live, matchOptions({ ownership, ignore }));
  const liveOf = wanted.map((): Wanted => undefined);
  for (const pair of pairs) {
    liveOf[pair.desired] = pair.live;
  }
  const desired = keepRefsApart(wanted, live, liveOf);
  const notes: RuleNote[] = [];
  const matchOf = live.map((): MatchedRule | undefined => undefined);
  for (const pair of pairs) {
    const rule = desired[pair.desired];
    const counterpart = live[pair.live];
    if (rule !== undefined && counterpart !== undefined) {
      matchOf[pair.live] = compareMatched(rule, counterpart, { ignore, notes });
    }
  }
  const spent = desired.filter(
    (rule, index) => rule.adopt && rule.exact !== true && rule.ref === live[liveOf[index] ?? -1]?.ref,
  );
  notes.push(...spentNote(spent));
  const claimed = new Set(refused.map((claim) => claim.desired));
  desired.forEach((rule, index) => {
    if (liveOf[index] === undefined && !claimed.has(index)) {
      notes.push(...adoptsNothing(rule));
    }
  });
  const roles = live.map((rule, index): ArrangementRole => {
    const match = matchOf[index];
    if (match !== undefined && match.rule.anchor !== true) {
      return isPatched(match) ? 'patched' : 'untouched';
    }
    if (!owns(ownership, rule)) {
      return 'foreign';
    }
    if (!isIgnored(ignore, rule.ref)) {
      return 'gone';
    }
    notes.push({ kind: 'ignored', ...ruleName(rule.ref, rule.content.description), message: STAYS_IGNORED });
    return 'foreign';
  });
  for (const { desired: at, live: from } of adoptable) {
    notes.push(newNameNote(desired[at], live[from], roles[from] === 'gone'));
  }
  const problems = refused.flatMap((claim) => {
    const [rule, counterpart] = [desired[claim.desired], live[claim.live]];
    return rule === undefined || counterpart === undefined
      ? []
      : [describeClaim(rule, counterpart, claim.problem)];
  });
  return { desired, live, liveOf, matchOf, roles, notes, problems };
}

/** Kinds of notes about how files name rules, which mean nothing for plans made from versions. */
export const NAMING_NOTES: ReadonlySet<PlanNoteKind> = new Set(['adoptable', 'adopts-nothing', 'recreated']);

const STAYS_IGNORED = 'is not in the file and stays: the file lets the whole rule differ';

/** The note that a live rule says the same under another `ref`: it stays, or it is deleted and comes back with another id. */
function newNameNote(rule: NamedRule | undefined, live: LiveRule | undefined, goes: boolean): RuleNote {
  const other = live?.ref ?? '';
  return {
    kind: goes ? 'recreated' : 'adoptable',
    ...ruleName(rule?.ref ?? '', rule?.content.description ?? ''),
    message: goes
      ? `is ${other} with a new id; analytics and skip rules refer to the old id; to keep it, use the old ref or set adopt: true`
      : `equals the live rule ${other}; to keep its id, write that ref, or adopt: true`,
    cause: rule?.cause,
  };
}

/** The note, once per ruleset, that rules with `adopt: true` have taken over what they were to. */
function spentNote([first, ...rest]: readonly NamedRule[]): readonly RuleNote[] {
  if (first === undefined) {
    return [];
  }
  const told =
    first.id === undefined ? 'adopt: true is no longer needed' : 'adopt: true and id are no longer needed';
  const others = rest.length === 0 ? '' : `, also on ${rest.length} more of this ruleset`;
  const message = `has its ref live: ${told} and can be removed${others}`;
  return [
    { kind: 'adoptable', ...ruleName(first.ref, first.content.description), message, cause: first.cause },
  ];
}

/** The note that a rule which should match a live rule becomes a new one. */
function adoptsNothing({ id, adopt, ref, content, cause }: NamedRule): readonly RuleNote[] {
  if (id === undefined && !adopt) {
    return [];
  }
  const sought = id === undefined ? 'for adopt: true to take over' : `with the id ${id}`;
  const message = `is added as a new rule: there is no live rule ${sought}`;
  return [{ kind: 'adopts-nothing', ...ruleName(ref, content.description), message, cause }];
}

const EXPLANATIONS: Readonly<Record<ClaimProblem, (live: LiveRule) => string>> = {
  'not-ours': ({ id, ref }) =>
    `names the live rule ${id} (ref ${oneLine(ref)}), which is not ours; adopt: true takes it over`,
  'claimed-twice': ({ id, ref }) =>
    `names the live rule ${id} (ref ${oneLine(ref)}), which another rule already has`,
  'other-ref': ({ id, ref }) =>
    `names the live rule ${id} by its id and would change its ref ${oneLine(ref)}; that needs adopt: true`,
  'two-rules': ({ id, ref }) =>
    `names two live rules, ${id} (ref ${oneLine(ref)}) by its id, and another by its ref; take the id out, or give it another ref`,
};

/** A refused claim as one line of text. */
function describeClaim(rule: NamedRule, live: LiveRule, problem: ClaimProblem): string {
  const name = rule.madeUp === true ? 'the rule' : `rule ${oneLine(rule.ref)}`;
  return `${formatPlace(rule.cause)}: ${name} ${EXPLANATIONS[problem](live)}`;
}
