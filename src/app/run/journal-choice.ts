import { keptPath } from './kept-path.ts';

export { holdJournal } from '../../apply/index.ts';
export type { Hold } from '../../apply/index.ts';

/** The choice of a journal. */
export interface JournalChoice {
  /** Path of the journal file; null: `.rulewright/journal.jsonl` below `cwd`. */
  readonly journal: string | null;
  readonly cwd: string;
}

/** Returns the path of the journal of a run: the file that was asked for, or the one of the project. */
export function journalPath({ journal, cwd }: JournalChoice): string {
  return journal ?? keptPath(cwd, 'journal');
}
