import type { ReadClient, WriteClient } from '../../api/client.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope } from '../../model/scope.ts';
import type { WriteStrategy } from '../../plan/requests/writes.ts';
import type { Journal } from '../journal/journal.ts';
import type { MadeIds } from '../base/name-created.ts';
import { NOTHING_MADE } from '../base/name-created.ts';
import type { Trail } from '../base/trail.ts';
import type { UntouchedRules } from './untouched-rules.ts';

/** What a run may do: write, or only look. In a dry run no object exists that could write. */
export type Access =
  | { readonly kind: 'write'; readonly client: WriteClient }
  | { readonly kind: 'dry-run'; readonly client: ReadClient };

/** Takes what the service showed of a ruleset after its last write, whole and sure. */
export type KeepWritten = (scope: Scope, ruleset: LiveRuleset) => Promise<void>;

/** What happens while a plan is carried out. */
export type ApplyEvent =
  | { readonly kind: 'step-started'; readonly scope: Scope; readonly step: string; readonly writes: number }
  | { readonly kind: 'step-ended'; readonly outcome: Outcome };

/** What all steps of one scope share. */
export interface ScopeRun {
  readonly scope: Scope;
  readonly access: Access;
  readonly strategy: WriteStrategy;
  /** How a PUT names the rules that stay as they are. */
  readonly untouched: UntouchedRules;
  readonly journal: Journal;
  readonly report: (event: ApplyEvent) => void;
  /** So that the next run need not read it; nobody keeps it unless given. */
  readonly keep?: KeepWritten | undefined;
  /** Stops the run between two writes; the write in hand is finished. */
  readonly signal: AbortSignal | undefined;
  /** Ids of what this run has made so far in this scope. */
  made: MadeIds;
  /** How far the writes of each step went, by step; steps of which nothing was sent are not in it. */
  readonly trails: Map<string, Trail>;
}

/** A run that undoes what we did to somebody else's rules: it makes nothing new, tells nobody, and no interruption stops it. */
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
