import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Composer } from './compose/composer.ts';

/** What was found in files, by what it is about. */
export interface FoundInFiles {
  /** Of packs, YAML, variables and schema. */
  readonly composing: readonly Diagnostic[];
  /** Variables that nothing uses. */
  readonly unused: readonly Diagnostic[];
  /** Of the checks beyond the schema, in files and in scopes. */
  readonly checks: readonly Diagnostic[];
  /** What looks wrong. */
  readonly lint: readonly Diagnostic[];
}

/** What counts of all that was found: what is used cannot be told while something is missing, nor what looks wrong while something is. */
export function tellFindings(
  { composing, unused, checks, lint }: FoundInFiles,
  composer: Composer,
): readonly Diagnostic[] {
  const composed = [...composing, ...undeclared(composer, composing)];
  const using = hasErrors(composed) ? [] : [...composer.unused(), ...unused];
  const checked = [...composed, ...using, ...checks];
  return hasErrors(checked) ? checked : [...checked, ...lint];
}

/** What a file declares that cannot be read is not known. */
function undeclared(composer: Composer, found: readonly Diagnostic[]): readonly Diagnostic[] {
  const unread = found.some(({ code, severity }) => code.startsWith('yaml/') && severity === 'error');
  return unread ? [] : composer.undeclared();
}
