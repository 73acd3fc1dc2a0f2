import { isMap, isSeq } from 'yaml';
import type { Node } from 'yaml';

import { isJsonArray, isJsonObject, jsonEqual } from '../../model/json.ts';
import type { TextEdit } from '../source/text-edit.ts';
import { editItems } from './edit-items.ts';
import { editMap } from './edit-map.ts';
import { editScalar } from './edit-scalar.ts';
import { pairItems } from './desired-file.ts';
import type { ValueEdit } from './value-edit.ts';

/**
 * Edits a mapping, a list, or a text of several lines or in quotes in place. Other values are written anew by the code that edits their holder.
 */
export function editValue(node: Node, edit: ValueEdit): readonly TextEdit[] | undefined {
  const { now, next, notes, followers } = edit;
  if (jsonEqual(now, next) || followers.has(node)) {
    return [];
  }
  if (isMap<Node, Node | null>(node) && isJsonObject(now) && isJsonObject(next)) {
    return editMap(node, { ...edit, now, next }, editValue);
  }
  if (isSeq<Node>(node) && isJsonArray(now) && isJsonArray(next)) {
    const items = pairItems(now, next, notes);
    return items === undefined ? undefined : editItems(node, { ...edit, now }, items, editValue);
  }
  return typeof now === 'string' && typeof next === 'string'
    ? editScalar(edit.text, node, { now, next })
    : undefined;
}
