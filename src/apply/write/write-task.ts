import type { ReadClient, WriteClient } from '../../api/client.ts';
import type { Step } from '../../model/plan.ts';
import type { Base } from '../../model/base.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { baseOf } from '../../model/ruleset.ts';
import type { StepSecrets } from '../../plan/hide/written-secrets.ts';
import type { Write } from '../../plan/requests/writes.ts';
import type { ScopeRun } from './run.ts';

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
