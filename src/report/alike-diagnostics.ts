import type { Diagnostic, Severity } from '../model/diagnostic.ts';
import { groupBy } from '../model/group-by.ts';

/** A finding, and the others that say the same of other places. */
export interface AlikeDiagnostics {
  readonly first: Diagnostic;
  readonly others: readonly Diagnostic[];
}

/** Up to so many findings that say the same, each is told by itself; of errors one more, since each has to be mended. */
const FEW: Readonly<Record<Severity, number>> = { error: 4, warning: 3, info: 3 };

/** The first places of which the same is said. */
export const MOST_PLACES = 5;

const NONE: readonly Diagnostic[] = [];

/**
 * Findings that say the same stand together, where the first of them does: of a habit that hundreds of files have, one example tells
 * enough. Errors do so only where they are word for word the same in several places, and most likely have one cause, such as a pack
 * that is not there.
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

/** What a finding says; of warnings and notes whatever it names: names in quotes, and words with digits, such as addresses. */
function keyOf({ code, severity, message, hint = '' }: Diagnostic): string {
  const texts = [message, hint].map((text) => (severity === 'error' ? text : withoutNames(text)));
  return JSON.stringify([code, severity, ...texts]);
}

function withoutNames(text: string): string {
  return text.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '…').replaceAll(/\S*\d\S*/g, '…');
}
