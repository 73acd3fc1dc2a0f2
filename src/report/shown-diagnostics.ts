import type { Diagnostic } from '../model/diagnostic.ts';
import { sortDiagnostics } from '../model/diagnostic.ts';
import { groupBy } from '../model/group-by.ts';
import type { AlikeDiagnostics } from './alike-diagnostics.ts';
import { alikeDiagnostics } from './alike-diagnostics.ts';
import type { Detail } from './theme.ts';

/** The findings that are shown, in the order of the files, and those that are only counted, by file. */
export interface ShownDiagnostics {
  readonly shown: readonly AlikeDiagnostics[];
  readonly counted: ReadonlyMap<string, readonly Diagnostic[]>;
}

/** The maximum number shown: nobody reads more, and a megabyte of findings hides which files they are in. */
const MOST = 200;

/**
 * Selects the findings to show. Unless `each` is asked for, findings that say the same are grouped, and of very many a share of each file
 * is shown, errors first, so that every file is represented.
 */
export function shownDiagnostics(
  diagnostics: readonly Diagnostic[],
  detail: Detail = 'summed-up',
): ShownDiagnostics {
  const sorted = sortDiagnostics(diagnostics);
  const all = detail === 'each' ? sorted.map((first) => ({ first, others: [] })) : alikeDiagnostics(sorted);
  if (detail === 'each' || all.length <= MOST) {
    return { shown: all, counted: new Map() };
  }
  const files = [...groupBy(all, ({ first }) => first.where?.file ?? '').values()];
  const share = Math.max(1, Math.floor(MOST / files.length));
  const told = new Set(files.flatMap((members) => errorsFirst(members).slice(0, share)));
  const rest = all.filter((one) => !told.has(one)).flatMap(({ first, others }) => [first, ...others]);
  return {
    shown: all.filter((one) => told.has(one)),
    counted: groupBy(rest, ({ where }) => where?.file ?? ''),
  };
}

function errorsFirst(members: readonly AlikeDiagnostics[]): readonly AlikeDiagnostics[] {
  const isError = ({ first }: AlikeDiagnostics): boolean => first.severity === 'error';
  return [...members.filter(isError), ...members.filter((one) => !isError(one))];
}
