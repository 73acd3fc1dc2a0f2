import type { Diagnostic } from '../model/diagnostic.ts';
import { groupBy } from '../model/group-by.ts';

/** A finding, and the others that say the same of other places. */
export interface AlikeDiagnostics {
  readonly first: Diagnostic;
  readonly others: readonly Diagnostic[];
}

/** Up to so many findings that say the same, each is told by itself. */
const FEW = 3;

const NONE: readonly Diagnostic[] = [];

/**
 * Warnings and notes that say the same stand together, where the first of them does: of a habit that hundreds of files have, one
 * example tells enough. Errors stay as they are, since each has to be mended.
 */
export function alikeDiagnostics(sorted: readonly Diagnostic[]): readonly AlikeDiagnostics[] {
  const groups = groupBy(sorted, (one) => (one.severity === 'error' ? one : likenessOf(one)));
  const shown = new Map<Diagnostic, readonly Diagnostic[]>(
    [...groups.values()].flatMap((group) =>
      group.length > FEW
        ? group.slice(0, 1).map((first) => [first, group.slice(1)] as const)
        : group.map((one) => [one, NONE] as const),
    ),
  );
  return sorted.flatMap((first) => {
    const others = shown.get(first);
    return others === undefined ? [] : [{ first, others }];
  });
}

/** What a finding says, whatever it names: names in quotes, and words with digits, such as addresses. */
function likenessOf({ code, severity, message, hint = '' }: Diagnostic): string {
  const texts = [message, hint].map((text) =>
    text.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '…').replaceAll(/\S*\d\S*/g, '…'),
  );
  return JSON.stringify([code, severity, ...texts]);
}
