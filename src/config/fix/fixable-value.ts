import type { AppliedFix } from '../../model/diagnostic.ts';
import type { JsonValue } from '../../model/json.ts';
import { withValueAt } from '../yaml/value-at.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import type { TextEdit } from '../source/text-edit.ts';

/** A value of a file, with fixes that can be made together. */
export interface FixableValue {
  readonly path: ValuePath;
  /** The value with these fixes made. */
  readonly value: JsonValue;
  readonly fixes: readonly AppliedFix[];
  /** The edits of the stretches that change. */
  readonly edits: readonly TextEdit[];
  /** The same change as one edit that rewrites the whole text in quotes; empty where that is impossible. */
  readonly rewritten: readonly TextEdit[];
}

/** Returns a document's value with the fixed values in place. */
export function replaceValues(value: JsonValue, wanted: readonly FixableValue[]): JsonValue {
  return wanted.reduce<JsonValue>((current, one) => withValueAt(current, one.path, one.value), value);
}
