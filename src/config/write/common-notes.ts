import { groupBy } from '../../data/index.ts';
import type { UnknownField } from '../../model/index.ts';
import { isUnchecked, unknownField } from './ruleset-yaml.ts';
import type { FileNote } from './scope-text.ts';

/**
 * Most rules of a scope that get a comment about the same thing. What more rules have is nothing special, and a comment at each would be noise.
 */
const MOST = 5;

/** Returns the notes of a scope without those that too many of its rules would have. */
export function withoutCommon(notes: readonly FileNote[]): readonly FileNote[] {
  const groups = groupBy(notes, aboutOf);
  return notes.filter((note) => {
    const about = aboutOf(note);
    return about === undefined || (groups.get(about)?.length ?? 0) <= MOST;
  });
}

function aboutOf({ text }: FileNote): string | undefined {
  return isUnchecked(text) ? text : unknownField(text);
}

/** Returns the fields of rules that no file has because this version does not know them, each with its number of rules. */
export function unknownFields(notes: readonly FileNote[]): readonly UnknownField[] {
  const fields = notes.flatMap(({ text }) => unknownField(text) ?? []);
  return [...groupBy(fields, (field) => field)].map(([field, rules]) => ({ field, rules: rules.length }));
}
