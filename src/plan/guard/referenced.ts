import { isReplaced, isWritten, rulesetReferences } from '../../model/index.ts';
import type {
  DeleteStep,
  Step,
  GuardFinding,
  RuleContent,
  LiveRuleset,
  LiveScope,
} from '../../model/index.ts';
import { someNames, oneLine } from '../../text/index.ts';
import { recreatedIn } from '../impact/recreated-rules.ts';

/** The most rules that a finding names. */
const MOST_NAMED = 3;

/**
 * Finds rulesets that the steps delete while rules that remain after all steps still name them; the service refuses that (api.md 0.3, 19).
 * Looks at everything that was read of the scope, including undeclared rulesets. O(rules), and only when something is deleted.
 */
export function checkReferenced(steps: readonly Step[], live: LiveScope): readonly GuardFinding[] {
  const deletions = steps.filter((step): step is DeleteStep => step.operation === 'delete');
  if (deletions.length === 0) {
    return [];
  }
  const left = rulesLeft(steps, live);
  return deletions.flatMap(({ id, base }) => {
    const users = left.filter(
      ({ content }) => base.kind === 'version' && rulesetReferences(content).includes(base.id),
    );
    return users.length === 0
      ? []
      : [{ kind: 'referenced' as const, effect: 'refuse' as const, step: id, message: told(id, users) }];
  });
}

/** A rule that remains when all steps are done. */
export interface LeftRule {
  readonly name: string;
  readonly ref: string;
  readonly phase: string;
  readonly content: RuleContent;
  /** What it says live; null where the steps make it. */
  readonly before: RuleContent | null;
}

function told(step: string, users: readonly LeftRule[]): string {
  const names = users.map(({ name }) => name);
  return names.length === 1
    ? `${step} would be deleted, but rule ${names.join('')} still names it, and the service refuses that. Remove that rule first`
    : `${step} would be deleted, but ${names.length} rules still name it, and the service refuses that: ${someNames(names, MOST_NAMED)}. Remove them first`;
}

/** Returns the rules that remain when all steps are done, of everything that was read. */
export function rulesLeft(steps: readonly Step[], { entries, users = [] }: LiveScope): readonly LeftRule[] {
  const read = entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset] : []));
  const stepOf = new Map(
    steps.flatMap((step) => (step.base.kind === 'version' ? [[step.base.id, step] as const] : [])),
  );
  return [
    ...[...read, ...users].flatMap((ruleset) => untouchedRules(ruleset, stepOf.get(ruleset.id))),
    ...steps.flatMap((step) => writtenRules(step)),
  ];
}

function untouchedRules({ rules, phase }: LiveRuleset, step: Step | undefined): readonly LeftRule[] {
  if (step?.operation === 'delete') {
    return [];
  }
  const written = new Set(step?.changes.filter(isReplaced).map(({ id }) => id));
  return rules
    .filter(({ id }) => !written.has(id))
    .map(({ ref, content }) => ({
      name: `${oneLine(ref)} of ${phase}`,
      ref,
      phase,
      content,
      before: content,
    }));
}

function writtenRules({ changes, target }: Step): readonly LeftRule[] {
  const twins = recreatedIn(changes);
  return changes.filter(isWritten).map((change) => ({
    name: `${oneLine(change.ref)} of ${target.phase}`,
    ref: change.ref,
    phase: target.phase,
    content: change.content,
    before: change.kind === 'add' ? (twins.get(change)?.before ?? null) : change.before,
  }));
}
