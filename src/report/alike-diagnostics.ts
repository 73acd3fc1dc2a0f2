import type { Diagnostic, Severity } from '../model/diagnostic.ts';
import { groupBy } from '../model/group-by.ts';

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
export function alikeDiagnostics(sorted: readonly Diagnostic[]): readonly AlikeDiagnostics[] {
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
