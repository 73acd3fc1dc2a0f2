import type { AppliedFix } from '../../model/diagnostic.ts';
import type { JsonValue } from '../../model/json.ts';
import { withValueAt } from '../yaml/value-at.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import type { TextEdit } from '../source/text-edit.ts';

/** A value of a file with fixes that can be made at one time. */
export interface FixableValue {
  readonly path: ValuePath;
  /** What it is with them. */
  readonly value: JsonValue;
  readonly fixes: readonly AppliedFix[];
  /** The stretches that change. */
  readonly edits: readonly TextEdit[];
  /** The same as one change of the whole text, in quotes; empty where that cannot be. */
  readonly rewritten: readonly TextEdit[];
}

/** A document's value with some values as they are to be. */
export function replaceValues(value: JsonValue, wanted: readonly FixableValue[]): JsonValue {
  return wanted.reduce<JsonValue>((current, one) => withValueAt(current, one.path, one.value), value);
}
