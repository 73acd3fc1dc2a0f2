import { isJsonArray, isJsonObject } from '../model/json.ts';
import { plainEntrypoints } from '../model/plain-entrypoints.ts';
import type { RulesetAddress } from '../model/ruleset.ts';
import type { DeclaredScope, LiveScope } from '../model/state.ts';

/** What is remembered of a scope that was read: enough to tell what the next reading takes. */
export interface ScopeNote {
  readonly id: string;
  /** Places of rulesets that were there, and of entry points that were not. */
  readonly present: readonly string[];
  readonly absent: readonly string[];
  /** Milliseconds since 1970; the proofs of absence are about as old. */
  readonly at: number;
}

/** The note about a scope as it was just read. */
export function writeNote({ scope, entries }: Pick<LiveScope, 'scope' | 'entries'>, at: number): ScopeNote {
  const places = (kind: 'present' | 'absent'): readonly string[] =>
    entries.filter(({ slot }) => slot.kind === kind).map(({ address }) => placeOf(address));
  return { id: scope.id, present: places('present'), absent: places('absent'), at };
}

/** A note that was kept; null when it makes no sense. */
export function readNote(text: string | null): ScopeNote | null {
  const note: unknown = text === null ? null : JSON.parse(text);
  if (!isJsonObject(note) || typeof note['id'] !== 'string' || typeof note['at'] !== 'number') {
    return null;
  }
  const texts = (value: unknown): readonly string[] =>
    isJsonArray(value) ? value.filter((place) => typeof place === 'string') : [];
  return { id: note['id'], present: texts(note['present']), absent: texts(note['absent']), at: note['at'] };
}

/**
 * Requests of the next reading when nothing has changed: the list, what is not known yet, and proofs that are older than `since`; or no
 * list, where reading each entry point for itself takes no more.
 */
export function requestsAfter(note: ScopeNote, desired: DeclaredScope, since: number): number {
  const isKnown = (address: RulesetAddress): boolean =>
    note.present.includes(placeOf(address)) ||
    // Of a custom ruleset the list is proof enough.
    (note.absent.includes(placeOf(address)) && (address.kind === 'custom' || note.at > since));
  const byList = 1 + desired.rulesets.filter(({ address }) => !isKnown(address)).length;
  return Math.min(byList, plainEntrypoints(desired)?.length ?? byList);
}

function placeOf(address: RulesetAddress): string {
  return address.kind === 'custom' ? `custom ${address.phase} ${address.name}` : address.phase;
}
