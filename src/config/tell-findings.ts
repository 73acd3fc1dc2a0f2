import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Composer } from './compose/composer.ts';
import type { FileFindings } from './read-file.ts';

/** What counts of all that was found: what is used cannot be told while something is missing, nor what looks wrong while something is. */
export function tellFindings(
  files: readonly FileFindings[],
  inScopes: readonly Diagnostic[],
  composer: Composer,
): readonly Diagnostic[] {
  const composing = [...composer.diagnostics, ...files.flatMap(({ diagnostics }) => diagnostics)];
  const composed = [...composing, ...undeclared(composer, composing)];
  const using = hasErrors(composed) ? [] : [...composer.unused(), ...files.flatMap(({ unused }) => unused)];
  const checked = [...composed, ...using, ...files.flatMap(({ checks }) => checks), ...inScopes];
  return hasErrors(checked) ? checked : [...checked, ...files.flatMap(({ lint }) => lint)];
}

/** What a file declares that cannot be read is not known. */
function undeclared(composer: Composer, found: readonly Diagnostic[]): readonly Diagnostic[] {
  const unread = found.some(({ code, severity }) => code.startsWith('yaml/') && severity === 'error');
  return unread ? [] : composer.undeclared();
}
