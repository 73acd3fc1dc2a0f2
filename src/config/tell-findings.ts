import { counted } from '../text/index.ts';
import type { Diagnostic } from '../model/index.ts';
import { hasErrors } from '../model/index.ts';
import type { Composer } from './compose/composer.ts';
import type { FileDiagnostics } from './read-file.ts';

/** Returns the findings that count: what is unused is unknown while a file does not compose, and the linter counts only without errors. */
export function tellFindings(
  files: readonly FileDiagnostics[],
  inScopes: readonly Diagnostic[],
  composer: Composer,
): readonly Diagnostic[] {
  const composing = [...composer.diagnostics, ...files.flatMap(({ diagnostics }) => diagnostics)];
  const composed = [...composing, ...undeclared(composer, composing)];
  const using = hasErrors(composed) ? [] : [...composer.unused(), ...files.flatMap(({ unused }) => unused)];
  const checked = [...composed, ...using, ...files.flatMap(({ checks }) => checks), ...inScopes];
  return hasErrors(checked) ? checked : [...checked, ...files.flatMap(({ lint }) => lint)];
}

/**
 * Returns the findings of the files that were read so far: without those that need all of them, and with the linter's only where it may turn out
 * that they count.
 */
export function findingsSoFar(
  files: readonly FileDiagnostics[],
  composer: Composer,
  { mayLint }: { readonly mayLint: boolean },
): readonly Diagnostic[] {
  const checked = [
    ...composer.diagnostics,
    ...files.flatMap(({ diagnostics, checks }) => [...diagnostics, ...checks]),
  ];
  return mayLint && !hasErrors(checked) ? [...checked, ...files.flatMap(({ lint }) => lint)] : checked;
}

/** Returns findings about undeclared names from the command line; none while a file does not parse, since its declarations are unknown. */
function undeclared(composer: Composer, found: readonly Diagnostic[]): readonly Diagnostic[] {
  const unread = found.some(({ code, severity }) => code.startsWith('yaml/') && severity === 'error');
  return unread ? [] : composer.undeclared();
}

/**
 * Merges repeated findings: a fault in a pack, or in a file of many zones, is found once for each use. The first finding stays, and says how many
 * others there are. Findings whose hints differ are about different values, and all stay.
 */
export function eachOnce(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  return repeated(findings).map(({ first, ways }) =>
    ways.size < 2 ? first : withCount(first, ways.size - 1),
  );
}

/** As `eachOnce`, where it is not known how many others there are. */
export function firstOfEach(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  return repeated(findings).map(({ first }) => first);
}

function repeated(
  findings: readonly Diagnostic[],
): readonly { readonly first: Diagnostic; readonly ways: ReadonlySet<string> }[] {
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
  return [...uses.values()];
}

function withCount(found: Diagnostic, others: number): Diagnostic {
  const more = `${counted(others, 'more use of the pack has', 'more uses of the pack have')} it`;
  const { hint } = found;
  return { ...found, hint: hint === undefined ? more : `${hint}${hint.endsWith('?') ? '' : ';'} ${more}` };
}
