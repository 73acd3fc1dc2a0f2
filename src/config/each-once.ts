import type { Diagnostic } from '../model/diagnostic.ts';

/**
 * Findings without repetition: what is wrong in a pack, or in a file of many zones, is found once for each of its uses. The first one
 * stays, and says how many others there are. Where the hint differs, another value is wrong.
 */
export function eachOnce(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const uses = new Map<string, { readonly first: Diagnostic; readonly ways: Set<string> }>();
  for (const found of findings) {
    const key = JSON.stringify([
      found.code,
      found.message,
      found.hint,
      found.where?.file,
      found.where?.start,
      found.where?.end,
    ]);
    const known = uses.get(key) ?? { first: found, ways: new Set() };
    known.ways.add(JSON.stringify(found.where?.via?.map(({ file, start }) => [file, start])));
    uses.set(key, known);
  }
  return [...uses.values()].map(({ first, ways }) =>
    ways.size < 2 ? first : withCount(first, ways.size - 1),
  );
}

function withCount(found: Diagnostic, others: number): Diagnostic {
  const more = `${others} more ${others === 1 ? 'use of the pack has' : 'uses of the pack have'} it`;
  const { hint } = found;
  return { ...found, hint: hint === undefined ? more : `${hint}${hint.endsWith('?') ? '' : ';'} ${more}` };
}
