import type { Node } from 'yaml';
import type { JsonValue } from '../../data/index.ts';
import type { TextEdit } from '../source/source-text.ts';
import type { FileNote } from './scope-text.ts';

/** A value in a file, and what it has to become. */
export interface ValueEdit<Value extends JsonValue = JsonValue> {
  readonly text: string;
  readonly now: Value;
  readonly next: Value;
  /** Comments for what is written anew, with paths from the value. */
  readonly notes: readonly FileNote[];
  /** Aliases that need no change, because the value they stand for becomes what they have to say. */
  readonly followers: ReadonlySet<Node>;
}

/** Returns the edits that make a value say what is wanted, and touch nothing else in it; undefined where it has to be written anew. */
export type EditValue = (node: Node, edit: ValueEdit) => readonly TextEdit[] | undefined;
