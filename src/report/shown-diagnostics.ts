import type { Diagnostic, Severity } from '../model/index.ts';
import { sortDiagnostics } from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import type { Detail } from './layout.ts';

/** A finding, and the others that say the same about other places. */
export interface AlikeDiagnostics {
  readonly first: Diagnostic;
  readonly others: readonly Diagnostic[];
}

/** Up to this many findings that say the same are each shown. For errors it is one more, because each has to be fixed. */
const FEW: Readonly<Record<Severity, number>> = { error: 4, warning: 3, info: 3 };

/** The maximum number of places shown for findings that say the same. */
export const MOST_PLACES = 5;

const NONE: readonly Diagnostic[] = [];

/**
 * Groups findings that say the same, at the place of the first: for a habit that hundreds of files have, one example is enough. Errors are
 * grouped only when their texts are identical, because then they most likely have one cause, such as a missing pack.
 */
function alikeDiagnostics(sorted: readonly Diagnostic[]): readonly AlikeDiagnostics[] {
  const groups = groupBy(sorted, keyOf);
  const shown = new Map<Diagnostic, readonly Diagnostic[]>(
    [...groups.values()].flatMap((group) =>
      group.length > FEW[group[0]?.severity ?? 'info']
        ? group.slice(0, 1).map((first) => [first, group.slice(1)] as const)
        : group.map((one) => [one, NONE] as const),
    ),
  );
  return sorted.flatMap((first) => {
    const others = shown.get(first);
    return others === undefined ? [] : [{ first, others }];
  });
}

/** Returns a key of what a finding says. For warnings and notes the key leaves out quoted names and words with digits, such as addresses. */
function keyOf({ code, severity, message, hint = '' }: Diagnostic): string {
  const texts = [message, hint].map((text) => (severity === 'error' ? text : withoutNames(text)));
  return JSON.stringify([code, severity, ...texts]);
}

function withoutNames(text: string): string {
  return text.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '…').replaceAll(/\S*\d\S*/g, '…');
}

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
