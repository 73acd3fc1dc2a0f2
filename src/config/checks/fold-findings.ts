import type { ExpressionFinding } from './expression-checker.ts';

/** So many findings of one code stand each for itself; of more only the first does. */
const MOST = 2;

/**
 * Findings of one expression, those that repeat told once with their number: a list of a hundred old names would drown everything else.
 * Errors all stay.
 */
export function foldFindings(findings: readonly ExpressionFinding[]): readonly ExpressionFinding[] {
  if (findings.length <= MOST) {
    return findings;
  }
  const counts = new Map<string, number>();
  for (const { code } of findings) {
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const told = new Set<string>();
  return findings.flatMap((found) => {
    const count = counts.get(found.code) ?? 0;
    if (found.severity === 'error' || count <= MOST) {
      return [found];
    }
    if (told.has(found.code)) {
      return [];
    }
    told.add(found.code);
    return [{ ...found, message: `${found.message}; ${count - 1} more of this kind in this expression` }];
  });
}
