import { orElse } from '../../api/service-error.ts';
import { errorFacts, knownError } from '../../model/error.ts';
import { groupBy } from '../../model/group-by.ts';
import type { LiveRuleName } from '../../model/live-difference.ts';
import { identicalContent, ruleToWire } from '../../model/rule-fields.ts';
import type { LiveRule } from '../../model/rule.ts';
import { isNamed } from '../../model/rule.ts';
import { baseOf } from '../../model/ruleset.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { liveRuleName } from '../../plan/difference/live-difference.ts';
import type { Anchor, Write } from '../../plan/requests/writes.ts';
import { lookUp } from '../base/look-up.ts';
import { GO_ON } from './conflict.ts';
import type { Clash } from './foreign-writes.ts';
import { isSameRule } from './foreign-writes.ts';
import type { WriteResult } from './perform-write.ts';
import type { WriteTask } from './write-task.ts';
import { effectOf, performWrite } from './perform-write.ts';
import type { Effect, WriteFailure } from './write-failure.ts';
import { NO_EFFECT } from './write-failure.ts';

type Conflict = Extract<WriteFailure, { readonly kind: 'conflict' }>;

/**
 * Brings back what a list took along: rules that somebody added, or changed, between our last look and the write. The plan neither showed
 * nor meant that. They come back by requests of their own, to their place; an added rule gets a new id. It stays a conflict: somebody else
 * wrote, and the next plan shows what.
 */
export async function bringBack(task: WriteTask, conflict: Conflict): Promise<WriteFailure> {
  const { clash } = conflict;
  const taken = clash === undefined ? [] : takenAlong(task.before, clash);
  if (clash === undefined || taken.length === 0) {
    return conflict;
  }
  let live = clash.now;
  let met = conflict;
  const back: LiveRuleName[] = [];
  const missing: Missing[] = [];
  for (const [index, { rule, write }] of taken.entries()) {
    const sent = { ...task, write: write(live), before: live };
    const result = await performed(sent);
    met = { ...withOthersOf(met, result), effect: lastEffect(met.effect, effectOf(result)) };
    const after = await rulesetAfter(sent, result);
    const found = after?.rules.find((one) => one.ref === rule.ref && isBack(one, { rule, sent, result }));
    if (after === null) {
      // Nobody answers: what is left would only wait for that as well.
      missing.push(...taken.slice(index).map((one) => ({ ref: one.rule.ref, because: reasonOf(result) })));
      break;
    }
    live = after;
    if (found === undefined) {
      missing.push({ ref: rule.ref, because: reasonOf(result) });
    } else {
      back.push(liveRuleName(found));
    }
  }
  return told(met, back, missing);
}

/** The version that this run made last says how far it went. */
function lastEffect(before: Effect, now: Effect): Effect {
  return now.kind === 'landed' ? now : before;
}

/** Bringing a rule back can meet somebody else's write too; what that changed is told as well. */
function withOthersOf(conflict: Conflict, result: WriteResult): Conflict {
  return result.kind === 'conflict'
    ? {
        ...conflict,
        others: [...conflict.others, ...result.others],
        unread: [...conflict.unread, ...result.unread],
      }
    : conflict;
}

/** The ruleset after a write, whatever came of it; null where it cannot be read. */
async function rulesetAfter(
  { reader, run, step, before }: WriteTask,
  result: WriteResult,
): Promise<LiveRuleset | null> {
  return result.kind === 'landed'
    ? result.ruleset
    : orElse(lookUp(reader, run.scope, step.target, baseOf(before)), () => null);
}

interface Tried {
  readonly rule: LiveRule;
  readonly sent: WriteTask;
  readonly result: WriteResult;
}

/** Whether a rule of that name is what was to come back; somebody else can be quicker, and what they did stays. */
function isBack(found: LiveRule, { rule, sent, result }: Tried): boolean {
  return sent.write.kind === 'add-rule' || effectOf(result).kind === 'landed' || isSameRule(found, rule);
}

/** A rule that our write took along, and what brings it back. */
interface Taken {
  readonly rule: LiveRule;
  readonly write: (live: LiveRuleset) => Write;
}

/**
 * Where each of three versions has a rule: what the write was planned on, what it met, and what it made. Only what was not there when it
 * was planned can be taken along by it; what it changes or deletes itself is meant, also under the id that somebody else gave it since.
 * What was there again since, or was changed once more, is left to whoever did that.
 */
export function takenAlong(planned: LiveRuleset | null, { landings, now }: Clash): readonly Taken[] {
  const base = byId(planned);
  const live = byId(now);
  const taken = landings.flatMap(({ met, made, since }) => {
    const left = byId(made);
    const deleted = new Set(planned?.rules.flatMap(({ id, ref }) => (left.has(id) ? [] : [ref])));
    return met.rules.flatMap((rule, index): readonly Taken[] => {
      const before = base.get(rule.id);
      const after = left.get(rule.id);
      if (before === undefined) {
        const isLost =
          after === undefined && !deleted.has(rule.ref) && !since.some((later) => hasAgain(later, rule, met));
        return isLost ? [{ rule, write: (on) => addition(rule, met.rules.slice(0, index), on) }] : [];
      }
      const isOverwritten = after !== undefined && !isSameRule(rule, before) && isSameRule(after, before);
      return isOverwritten && isSameRule(live.get(rule.id), after)
        ? [{ rule, write: ({ id }) => overwriting(rule, id) }]
        : [];
    });
  });
  // What was taken along twice comes back once, as it was the last time.
  return [...new Map(taken.map((one) => [one.rule.ref, one])).values()];
}

/** Whether a later version has a rule again: by its name, or, where nobody named it, as one that somebody made anew. */
function hasAgain({ rules }: LiveRuleset, rule: LiveRule, met: LiveRuleset): boolean {
  const known = new Set(met.rules.map(({ ref }) => ref));
  return rules.some(
    (one) =>
      one.ref === rule.ref ||
      (!isNamed(rule) && !isNamed(one) && !known.has(one.ref) && identicalContent(one.content, rule.content)),
  );
}

function byId(ruleset: LiveRuleset | null): ReadonlyMap<string, LiveRule> {
  return new Map(ruleset?.rules.map((rule) => [rule.id, rule]));
}

/**
 * The rule again, behind the nearest of the rules before it that is still there. Where nobody named it, its `ref` is the id that it had:
 * without a `ref` of ours it could not be found after a lost answer, nor would sending it twice be refused, and what others know it by stays.
 */
function addition(rule: LiveRule, earlier: readonly LiveRule[], live: LiveRuleset): Write {
  const alive = byId(live);
  const byRef = new Map(live.rules.map((one) => [one.ref, one]));
  const near = earlier.findLast(({ id, ref }) => alive.has(id) || byRef.has(ref));
  const anchor = near === undefined ? undefined : (alive.get(near.id) ?? byRef.get(near.ref));
  const behind: Anchor = anchor === undefined ? { kind: 'first' } : { kind: 'live', id: anchor.id };
  return { kind: 'add-rule', id: live.id, ref: rule.ref, rule: ruleToWire(rule), behind };
}

function overwriting(rule: LiveRule, id: string): Write {
  return { kind: 'patch-rule', id, ruleId: rule.id, rule: ruleToWire(rule), behind: null };
}

/** A journal that cannot be written ends the run; what was written before is told. */
async function performed(task: WriteTask): Promise<WriteResult> {
  try {
    return await performWrite(task);
  } catch (error) {
    return { kind: 'failed', ...errorFacts(knownError(error)), effect: NO_EFFECT };
  }
}

function reasonOf(result: WriteResult): string {
  return 'message' in result ? result.message : 'the run was interrupted';
}

/** A rule that is not back, and why. */
interface Missing {
  readonly ref: string;
  readonly because: string;
}

function told(conflict: Conflict, back: readonly LiveRuleName[], missing: readonly Missing[]): Conflict {
  const names = (rules: readonly { readonly ref: string }[]): string =>
    rules.map(({ ref }) => ref).join(', ');
  return {
    ...conflict,
    message: [
      conflict.message,
      ...(back.length === 0 ? [] : [`brought back: ${names(back)}`]),
      ...[...groupBy(missing, ({ because }) => because)].map(
        ([because, rules]) => `could not be brought back: ${names(rules)}, since ${because}`,
      ),
    ].join('; '),
    hint: missing.length === 0 ? GO_ON : conflict.hint,
    broughtBack: back,
  };
}
