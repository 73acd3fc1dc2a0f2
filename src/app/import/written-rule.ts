import type { FileNote } from '../../config/index.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import type { LiveRule } from '../../model/index.ts';
import type { DeclaredLive } from './scope-file-text.ts';

/** A live rule as the import would write it. */
export function writtenRule(written: DeclaredLive | undefined, { id, ref }: LiveRule) {
  const index = written?.ids.indexOf(id) ?? -1;
  const value = objectOf(rulesOf(written)[index]);
  return {
    value,
    notes: notesAt(written?.notes ?? [], index),
    /** Whether the ref is a proposal that live does not have yet. */
    renamed: value['ref'] !== undefined && value['ref'] !== ref,
  };
}

/** Returns all notes of the rule with this ref, even those that many rules share; undefined if the ruleset has no such rule. */
export function notesOf(written: DeclaredLive, ref: string): readonly FileNote[] | undefined {
  const index = rulesOf(written).findIndex((rule) => isJsonObject(rule) && rule['ref'] === ref);
  return index === -1 ? undefined : notesAt(written.allNotes, index);
}

function rulesOf(written: DeclaredLive | undefined): readonly JsonValue[] {
  return isJsonArray(written?.value['rules']) ? written.value['rules'] : [];
}

function notesAt(notes: readonly FileNote[], index: number): readonly FileNote[] {
  return notes.flatMap((one) =>
    one.path[0] === 'rules' && one.path[1] === index ? [{ ...one, path: one.path.slice(2) }] : [],
  );
}
