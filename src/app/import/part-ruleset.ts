import type { FileNote } from '../../config/index.ts';
import { describedName } from '../../model/index.ts';
import { objectsIn } from '../../data/index.ts';
import type { LiveRule, LiveRuleset } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import type { DeclaredLive } from './scope-file-text.ts';

/** A live ruleset, and how a file would declare it. */
export interface RuleCandidate {
  readonly ruleset: LiveRuleset;
  readonly one: DeclaredLive;
}

/** Returns why declared rulesets would not reproduce live; undefined if they would. */
export type FaultOf = (candidates: readonly RuleCandidate[]) => string | undefined;

/** A rule that no file can declare. */
interface Odd {
  readonly rule: LiveRule;
  readonly why: string;
}

/** The most rules at fault that a reason names. */
const MAX_NAMED = 3;

/**
 * Parts a ruleset of which a file cannot declare every rule: `ownership` leaves those rules to others, in their places. Returns the reason as a
 * text if that is not possible, with the rules at fault.
 */
export function partRuleset(
  candidate: RuleCandidate,
  {
    faultOf,
    fault,
    hasOwnership,
  }: { readonly faultOf: FaultOf; readonly fault: string; readonly hasOwnership: boolean },
): DeclaredLive | string {
  const odd = rulesAtFault(candidate, faultOf);
  if (odd.length === 0) {
    return fault;
  }
  const rest = restOf(candidate, odd);
  return hasOwnership ||
    rest.ids.length === 0 ||
    faultOf([{ ruleset: candidate.ruleset, one: rest }]) !== undefined
    ? `${someNames(
        odd.map(({ rule, why }) => `rule ${nameOf(rule)}: ${why}`),
        MAX_NAMED,
      )}${hasOwnership ? '; `ownership` of the ruleset can leave such rules to others' : ''}`
    : rest;
}

/** Finds the rules at fault, each by itself. */
function rulesAtFault(candidate: RuleCandidate, faultOf: FaultOf): readonly Odd[] {
  return candidate.ruleset.rules.flatMap((rule) => {
    const one = only(candidate.one, new Set([rule.id]));
    const why =
      one.ids.length === 0 ? undefined : faultOf([{ ruleset: { ...candidate.ruleset, rules: [rule] }, one }]);
    return why === undefined ? [] : [{ rule, why }];
  });
}

/** Declares all other rules of a ruleset, and only those as ours. */
function restOf({ ruleset, one }: RuleCandidate, odd: readonly Odd[]): DeclaredLive {
  const left = new Set(odd.map(({ rule }) => rule.id));
  const rest = only(one, new Set(one.ids.filter((id) => !left.has(id))));
  const refs = ruleset.rules.filter(({ id }) => rest.ids.includes(id)).map(({ ref }) => ref);
  const told = odd.map(({ rule, why }) => `left to others: ${nameOf(rule)}; ${why}`);
  const notes = told.map((text): FileNote => ({ path: ['ownership'], text, place: 'before' }));
  return {
    ...rest,
    value: { ...rest.value, ownership: { rules: refs } },
    notes: [...notes, ...rest.notes],
    allNotes: [...notes, ...rest.allNotes],
    unfit: odd.map(({ rule, why }) => ({ rule: nameOf(rule), why })),
  };
}

/** Declares only some rules of a ruleset. */
function only(one: DeclaredLive, kept: ReadonlySet<string>): DeclaredLive {
  const ids = one.ids.filter((id) => kept.has(id));
  const notes = (all: readonly FileNote[]): readonly FileNote[] =>
    all.flatMap((note) => {
      const [list, index, ...path] = note.path;
      if (list !== 'rules' || typeof index !== 'number') {
        return [note];
      }
      const now = ids.indexOf(one.ids[index] ?? '');
      return now === -1 ? [] : [{ ...note, path: [list, now, ...path] }];
    });
  const rules = objectsIn(one.value['rules']).filter((_, index) => kept.has(one.ids[index] ?? ''));
  return {
    ...one,
    value: { ...one.value, rules },
    ids,
    notes: notes(one.notes),
    allNotes: notes(one.allNotes),
  };
}

function nameOf({ ref, content }: LiveRule): string {
  return describedName(ref, content.description);
}
