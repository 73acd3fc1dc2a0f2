import type { ReadClient, WriteClient } from '../../api/client.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import type { WriteStrategy } from '../../plan/requests/writes.ts';
import type { Journal } from '../journal/journal-entry.ts';
import type { MadeIds } from '../base/name-created.ts';
import { NOTHING_MADE } from '../base/name-created.ts';
import type { Trail } from '../base/trail.ts';
import type { UntouchedRules } from './untouched-rules.ts';

/** What a run may do: write, or only read. A dry run has no client that could write. */
export type Access =
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
  readonly access: Access;
  readonly strategy: WriteStrategy;
  /** How a PUT names the rules that stay as they are. */
  readonly untouched: UntouchedRules;
  readonly journal: Journal;
  readonly report: (event: ApplyEvent) => void;
  /** Keeps written rulesets so that the next run need not read them; undefined when nobody keeps them. */
  readonly keep?: KeepWritten | undefined;
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
