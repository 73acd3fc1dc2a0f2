import type { JsonObject, JsonValue } from '../../data/index.ts';
import type {
  PlannedScope,
  RulesetTarget,
  Step,
  Base,
  Scope,
  RunPart,
  ListBase,
  ListTarget,
  SettingTarget,
  LiveRuleset,
} from '../../model/index.ts';
import type { Write, WriteStrategy, StepSecrets } from '../../plan/index.ts';
import {
  writesOf,
  hasReferences,
  hide,
  valuesBeside,
  valuesIn,
  hiddenValues,
  secretsAmong,
} from '../../plan/index.ts';
import { isJsonObject, mapTextsIn, plainJson } from '../../data/index.ts';
import { listWrites } from '../lists/list-writes.ts';
import type { WriteReceipt } from '../write/receipts.ts';
import {
  redactText,
  shownRuleset,
  shownText,
  shownWire,
  isPlaced,
  contentToWire,
  isListStep,
  isSettingStep,
  knownError,
} from '../../model/index.ts';

/** A step as the head of a run records it: enough to look its ruleset up after a crash. */
export interface JournalStep {
  readonly step: string;
  readonly scope: Scope;
  readonly tokenEnv?: string | undefined;
  readonly target: RulesetTarget;
  readonly base: Base;
  /** Number of writes that the step takes. */
  readonly writes: number;
  /** Ids of the rules that the step moves, whose positions are therefore not somebody else's doing; absent when it moves none. */
  readonly moves?: readonly string[];
}

/** Returns a step as the head of its run records it. */
export function journalStep(step: Step, plan: PlannedScope, strategy: WriteStrategy): JournalStep {
  const { scope, tokenEnv } = plan;
  const { target, base } = step;
  const moves = step.changes.flatMap((change) =>
    change.kind !== 'add' && isPlaced(change) ? [change.id] : [],
  );
  const writes = writesOf(step, strategy).length;
  return { step: step.id, scope, tokenEnv, target, base, writes, ...(moves.length === 0 ? {} : { moves }) };
}

/** What the head of a run records of a step on a list or a setting. */
interface JournalObject {
  readonly step: string;
  readonly scope: Scope;
  readonly tokenEnv?: string | undefined;
  /** Number of writes that the step takes. */
  readonly writes: number;
}

/** A step on a setting as the head of a run records it. */
export interface JournalSetting extends JournalObject {
  readonly target: SettingTarget;
}

/** A step on a list as the head of a run records it. */
export interface JournalList extends JournalObject {
  readonly target: ListTarget;
  readonly base: ListBase;
}

/** Returns the steps on lists and settings as the head of their run records them. */
export function journalObjects(plans: readonly PlannedScope[]): {
  readonly lists?: readonly JournalList[];
  readonly settings?: readonly JournalSetting[];
} {
  const lists = plans.flatMap(({ scope, tokenEnv, objects = [] }) =>
    objects.filter(isListStep).map((step): JournalList => {
      const { id, target, base } = step;
      return { step: id, scope, tokenEnv, target, base, writes: listWrites(step).length };
    }),
  );
  const settings = plans.flatMap(({ scope, tokenEnv, objects = [] }) =>
    objects
      .filter(isSettingStep)
      .map(({ id, target }): JournalSetting => ({ step: id, scope, tokenEnv, target, writes: 1 })),
  );
  return {
    ...(lists.length === 0 ? {} : { lists }),
    ...(settings.length === 0 ? {} : { settings }),
  };
}

/**
 * Purpose of a run: apply a plan, roll back what a failed run wrote, retire objects of a deprecated interface, or take a step of the WAF migration.
 * `apply`, `rollback` and `waf` write the same rulesets, so each of them looks for what any of them left unfinished; `retire` deletes other objects,
 * and looks only for its own runs.
 */
export type RunPurpose = 'apply' | 'rollback' | 'retire' | 'waf';

/**
 * How far a wave has come: its first write is about to be sent (`begun`), all of it is written (`written`), its health held (`passed`) or did not, or
 * not all of it went back (`failed`), nothing is known of its health (`no-data`), or it was put back (`undone`).
 */
export interface WaveRecord {
  readonly wave: number;
  /** As in `PlanWave`: what the files wanted of its scopes. */
  readonly wanted: string;
  readonly state: 'begun' | 'written' | 'passed' | 'failed' | 'no-data' | 'undone';
  /** From before the first write of the wave to after its last answer, in milliseconds since 1970; absent where nothing was written. */
  readonly wrote?: { readonly from: number; readonly to: number } | undefined;
  /** What was seen of its health. */
  readonly health?: JsonValue | undefined;
}

/** One entry of the journal. No entry contains a request header, a token or a key. */
export type JournalEntry =
  /** The head of a run: its steps, and the service that they are for. */
  | {
      readonly kind: 'run';
      readonly purpose: RunPurpose;
      readonly plan: string;
      readonly service: string;
      /** The shard that the run covers; absent when it covers the whole run. */
      readonly shard?: RunPart | undefined;
      readonly steps: readonly JournalStep[];
      /** The steps on lists; absent when there are none. */
      readonly lists?: readonly JournalList[];
      /** The steps on settings; absent when there are none. */
      readonly settings?: readonly JournalSetting[];
    }
  /** The whole content of a ruleset that is about to be deleted. */
  | { readonly kind: 'saved'; readonly step: string; readonly ruleset: JsonValue }
  /** A step on a list that is about to be written, with all that it replaces: lists have no versions to go back to. */
  | { readonly kind: 'saved-list'; readonly step: string; readonly list: JsonValue }
  /** A step on a setting that is about to be written, with the values that it replaces. */
  | { readonly kind: 'saved-setting'; readonly step: string; readonly setting: JsonValue }
  | { readonly kind: 'intent'; readonly step: string; readonly write: JsonValue; readonly base: JsonValue }
  | {
      readonly kind: 'landed';
      readonly step: string;
      readonly version: string | null;
      /** By what the audit log calls the write; absent where no answer came, and in journals of older versions. */
      readonly audit?: readonly WriteReceipt[];
    }
  | {
      readonly kind: 'failed';
      readonly step: string;
      readonly message: string;
      /** Whether the write took effect despite the failure. */
      readonly landed: boolean;
      /** Set when it is not known whether the write took effect, or still will. */
      readonly inDoubt?: true;
      readonly audit?: readonly WriteReceipt[];
    }
  /** How far a wave of a rollout has come. */
  | (WaveRecord & { readonly kind: 'wave'; readonly service: string })
  /**
   * How far a run in waves has come: it is about to begin, to put back what it wrote, or it came to its end, whatever that was. One without an end was
   * killed or interrupted, and the next run goes on there.
   */
  | { readonly kind: 'rollout'; readonly service: string; readonly state: 'begun' | 'going-back' | 'ended' }
  /**
   * The run came to its end, whatever its result (the word for it is that of its purpose); `settled`: it crashed, and a later run found nothing of it left to do. A run without this entry
   * crashed or is still running.
   */
  | { readonly kind: 'end'; readonly result: string };

/** Records durably and in order what a run intends and what came of it. */
export interface Journal {
  /** Resolves when the entry would survive a crash; rejects with `apply/journal` when it cannot be written. */
  record(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}

/** A journal that keeps nothing: for dry runs. */
export const NO_JOURNAL: Journal = {
  record: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/**
 * Returns a write as the journal records it. A rollback may write former sensitive values where sensitive values stand now: they are sent, but hidden
 * in the journal wherever they stand in the write. So is what looks like a secret.
 */
export function journalWrite(
  write: Write,
  before: LiveRuleset | null,
  { phase, written, clear }: StepSecrets,
): JsonValue {
  const models = before?.rules.filter(({ content }) => hasReferences(content)) ?? [];
  const described = before?.description ?? '';
  const found: string[] = [...written, ...valuesIn(descriptionIn(write), described, 'all')];
  const hidden = (rule: JsonObject, id: JsonValue | undefined): JsonObject => {
    const model = models.find((one) => one.id === id || one.ref === rule['ref']);
    const wire = model === undefined ? undefined : contentToWire(model.content);
    found.push(...valuesBeside(rule, wire, 'all'));
    const safe = hide(rule, wire, 'all');
    return shownWire(isJsonObject(safe) ? safe : rule, phase);
  };
  const safe = plainJson(withRules(write, hidden));
  const secrets = secretsAmong(found);
  if (secrets.length === 0) {
    return mapTextsIn(safe, shownText);
  }
  const said = JSON.stringify(models.map(({ content }) => contentToWire(content)));
  const { redactions } = hiddenValues(secrets, said + clear);
  return mapTextsIn(safe, (text) => shownText(redactText(text, redactions)));
}

function withRules(write: Write, change: (rule: JsonObject, id: JsonValue | undefined) => JsonObject): Write {
  if ('rules' in write && write.rules !== null) {
    return { ...write, rules: write.rules.map((rule) => change(rule, rule['id'])) };
  }
  return 'rule' in write && write.rule !== null
    ? { ...write, rule: change(write.rule, 'ruleId' in write ? write.ruleId : undefined) }
    : write;
}

function descriptionIn(write: Write): string {
  return 'description' in write ? (write.description ?? '') : '';
}

/** Returns a ruleset as the journal records it before its deletion. */
export function journalRuleset(ruleset: LiveRuleset): JsonValue {
  return plainJson(shownRuleset(ruleset));
}

/** Reports that the journal could not record what the run did; the result of the run still tells it. */
export interface JournalEvent {
  readonly kind: 'journal';
  readonly problem: string;
}

/**
 * Records something that has happened and is known already. When the journal cannot be written, reports that instead of throwing: the next run finds
 * a run without an end, and reads live.
 */
export async function recordDone(
  journal: Journal,
  entry: JournalEntry,
  report: (event: JournalEvent) => void,
): Promise<void> {
  try {
    await journal.record(entry);
  } catch (error) {
    report({ kind: 'journal', problem: knownError(error).message });
  }
}
