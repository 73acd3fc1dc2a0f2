import type { Move, Place, RuleChange } from '../../model/change.ts';
import { ruleName } from '../../model/described-name.ts';
import type { Ignored } from '../../model/ignored.ts';
import type { PlanNote } from '../../model/plan.ts';
import { identicalContent } from '../../model/rule-fields.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import { carryOver } from '../compare/carry.ts';
import { compareContent } from '../compare/compare-rules.ts';
import type { RuleComparison } from '../compare/compare-rules.ts';
import { ignoredOf, keepIgnored } from '../compare/ignore.ts';
import type { NamedRule } from './name-rules.ts';
import type { Verdict } from '../protect/verdict.ts';
import { protectionOf } from '../protect/verdict.ts';

/** A note that does not know its step yet. */
export type RuleNote = Omit<PlanNote, 'step'>;

/** A desired rule, completed from live, with the live rule that it describes. */
export interface MatchedRule {
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
  readonly place: Place;
  /** Undefined when the rule stays in place. */
  readonly move: Move | undefined;
  /** What the whole change of the rule does to protection. */
  readonly verdict: Verdict;
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
