import type { Node } from 'yaml';

import type { JsonValue } from '../../model/json.ts';
import type { TextEdit } from '../source/text-edit.ts';
import type { FileNote } from './scope-text.ts';

/** What a value in a file is to become. */
export interface ValueEdit<Value extends JsonValue = JsonValue> {
  readonly text: string;
  readonly now: Value;
  readonly next: Value;
  /** Comments of what is written anew, with paths from the value. */
  readonly notes: readonly FileNote[];
  /** Aliases of values that become what their places are to say as well. */
  readonly followers: ReadonlySet<Node>;
}

/** The edits that make a value say what is wanted, and touch nothing else of it; undefined where it has to be written anew. */
export type EditValue = (node: Node, edit: ValueEdit) => readonly TextEdit[] | undefined;
