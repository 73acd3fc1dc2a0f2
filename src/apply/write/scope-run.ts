import type { ReadClient, WriteClient } from '../../api/index.ts';
import type { Outcome, LiveRuleset, Scope, Step, Base } from '../../model/index.ts';
import type { ListsAsBefore, WriteStrategy, Write, StepSecrets } from '../../plan/index.ts';
import type { Journal } from '../journal/journal-entry.ts';
import type { MadeIds } from '../base/name-created.ts';
import { NOTHING_MADE } from '../base/name-created.ts';
import { baseOf, stayingOf, isAtBase, ruleToWire } from '../../model/index.ts';
import { expectAfter } from '../../plan/index.ts';
import { isAsLeft, lookUp } from '../base/look-up.ts';
import type { History } from './concurrent-edits.ts';
import { readHistory } from './concurrent-edits.ts';
import type { WriteEffect } from './write-failure.ts';

/** How far the writes of a step went: where its rollback begins. */
export interface Trail {
  readonly step: Step;
  /** Live before the first write, at the base of the step. */
  readonly before: LiveRuleset | null;
  /** Live after the last write that ended well; `before` when none did. */
  readonly left: LiveRuleset | null;
  /** The last write that was sent after `left`, and failed or has an unknown result. */
  readonly inFlight: { readonly write: Write; readonly effect: WriteEffect } | null;
}

/** Whether a step may have written something; a write that certainly did nothing leaves nothing to put back. */
export function mayHaveWritten({ before, left, inFlight }: Trail): boolean {
  return before?.version !== left?.version || inFlight === null || inFlight.effect.kind !== 'none';
}

/** Who changed live since the step was begun. */
export type Authorship =
  /** Nobody: live is as it was before the step. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'ours'; readonly live: LiveRuleset | null }
  /** Somebody else wrote as well, or may have; `history` is null when the ruleset was deleted, or is another one than the step left. */
  | { readonly kind: 'others'; readonly live: LiveRuleset | null; readonly history: History | null };

/** The live state of a ruleset that a step wrote. */
export interface TrailFinding {
  readonly authorship: Authorship;
  /** Whether a write of the step is still in doubt, and may land on the live ruleset. */
  readonly inDoubt: boolean;
}

/** Reads the live state of a ruleset that a step wrote, and determines whether all changes are the step's own. */
export async function authorshipOf(trail: Trail, client: ReadClient, scope: Scope): Promise<TrailFinding> {
  const { step, before, left, inFlight } = trail;
  const inDoubt = inFlight?.effect.kind === 'in-doubt';
  const found = await lookUp(client, scope, step.target, baseOf(left));
  // A ruleset that is gone may have been made again, under another id.
  const live = found ?? (left === null ? null : await lookUp(client, scope, step.target, baseOf(null)));
  if (isAtBase(live, baseOf(before))) {
    return { authorship: { kind: 'nobody' }, inDoubt };
  }
  if (isAtBase(live, baseOf(left))) {
    const isOurs = left === null || live === null || isAsLeft(left, live);
    return { authorship: isOurs ? { kind: 'ours', live } : { kind: 'others', live, history: null }, inDoubt };
  }
  // A write that did nothing made none of the versions.
  const sent = inFlight === null || inFlight.effect.kind === 'none' ? null : inFlight;
  if (live === null || (left !== null && live.id !== left.id)) {
    const isDeleted = live === null && sent !== null && expectAfter(left, sent.write) === null;
    return isDeleted
      ? { authorship: { kind: 'ours', live }, inDoubt: false }
      : { authorship: { kind: 'others', live, history: null }, inDoubt: false };
  }
  const made = sent?.effect.kind === 'landed' ? sent.effect.version : null;
  const history = await readHistory({
    client,
    scope,
    write: sent?.write ?? null,
    made,
    before: left,
    staying: stayingOf(step),
    now: live,
  });
  const isOurs = history.others.length + history.unread.length === 0;
  return {
    authorship: isOurs ? { kind: 'ours', live } : { kind: 'others', live, history },
    inDoubt: inDoubt && history.ours === null,
  };
}

/**
 * How a PUT names a rule that stays as it is. `by-id`: `{ id }` alone, so that the rule keeps everything, including a concurrent edit (api.md 6.1);
 * only where the service was seen to accept it. `whole`: id, ref and all content that was read, including fields that this version does not know.
 * `unproven`: by id, and then whole if the service refuses that; used when no preflight has asked.
 */
export type UntouchedRules = 'by-id' | 'whole' | 'unproven';

/** Returns the write as it is sent for a live ruleset. */
export function withUntouchedRules(write: Write, live: LiveRuleset | null, form: UntouchedRules): Write {
  if (write.kind !== 'put-ruleset' || write.rules === null || form !== 'whole') {
    return write;
  }
  const byId = new Map(live?.rules.map((rule) => [rule.id, rule]));
  const rules = write.rules.map((entry) => {
    const rule = typeof entry['id'] === 'string' ? byId.get(entry['id']) : undefined;
    return rule === undefined || entry['action'] !== undefined ? entry : { id: rule.id, ...ruleToWire(rule) };
  });
  return { ...write, rules };
}

/** Whether a write names rules by their ids alone. */
export function namesUntouchedRules(write: Write): boolean {
  return write.kind === 'put-ruleset' && (write.rules ?? []).some((entry) => entry['action'] === undefined);
}

/** What a run may do: write, or only read. A dry run has no client that could write. */
export type WriteAccess =
  | { readonly kind: 'write'; readonly client: WriteClient }
  | { readonly kind: 'dry-run'; readonly client: ReadClient };

/** Receives a ruleset as the service returned it after the last write of its step, complete and certain. */
export type KeepWritten = (scope: Scope, ruleset: LiveRuleset) => Promise<void>;

/** Progress of a plan that is being carried out. */
export type ApplyEvent =
  | { readonly kind: 'step-started'; readonly scope: Scope; readonly step: string; readonly writes: number }
  | { readonly kind: 'step-ended'; readonly outcome: Outcome };

/** State shared by all steps of one scope. */
export interface ScopeRun {
  readonly scope: Scope;
  readonly access: WriteAccess;
  readonly strategy: WriteStrategy;
  /** How a PUT names the rules that stay as they are. */
  readonly untouched: UntouchedRules;
  readonly journal: Journal;
  readonly report: (event: ApplyEvent) => void;
  /** Keeps written rulesets so that the next run need not read them; undefined when nobody keeps them. */
  readonly keep?: KeepWritten | undefined;
  /** What the lists that the plan makes hold, where it is known. */
  readonly lists?: ListsAsBefore | undefined;
  /** Stops the run between two writes; the write in hand is finished. */
  readonly signal: AbortSignal | undefined;
  /** Ids of the objects that this run has made so far in this scope. */
  made: MadeIds;
  /** How far the writes of each step went, by step id; steps of which nothing was sent are absent. */
  readonly trails: Map<string, Trail>;
}

/** Returns a run that undoes our changes to somebody else's rules: it knows no new objects, reports nothing, and cannot be interrupted. */
export function undoingRun(run: Pick<ScopeRun, 'scope' | 'access' | 'strategy' | 'journal'>): ScopeRun {
  return {
    ...run,
    untouched: 'whole',
    report: () => undefined,
    signal: undefined,
    made: NOTHING_MADE,
    trails: new Map(),
  };
}

/** One write, and the ruleset that it is made on. */
export interface WriteTask {
  readonly step: Step;
  readonly write: Write;
  readonly before: LiveRuleset | null;
  readonly client: WriteClient;
  /** Reads what the write did; waits for its turn even after an interruption. */
  readonly reader: ReadClient;
  readonly run: ScopeRun;
  /** Secrets of the step's writes, which the journal must not contain. */
  readonly secrets: StepSecrets;
}

/** Returns the base that a write is made on: the ruleset after the step's earlier writes. */
export function baseNow({ step, before }: Pick<WriteTask, 'step' | 'before'>): Base {
  return before === null ? step.base : baseOf(before);
}
