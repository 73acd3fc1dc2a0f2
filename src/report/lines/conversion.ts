import type { Equivalence } from '../../model/firewall-conversion.ts';
import type { Scope } from '../../model/scope.ts';
import type { Line } from '../layout.ts';
import { BLANK, line, span } from '../layout.ts';

/** What old things of a zone were converted to. */
export interface Conversion<Result = unknown> {
  readonly scope: Scope;
  readonly result: Result;
  /** Whether both worlds do the same, of a conversion of two lists. */
  readonly equivalence: Equivalence | null;
  /** The zone file; null where there is nothing to write, or the conversion was refused. */
  readonly yaml: string | null;
}

/** Where the zone file of a conversion went. */
export interface ConversionFile {
  /** The file that was written; null when none was asked for. */
  readonly file: string | null;
  /** Where the project declares the phase of this zone already, as `file:line`; null where it does not. */
  readonly claim: string | null;
}

/** How to go on after a conversion: the next commands where a file was written, and what to do where the phase is declared already. */
export function nextLines(
  { yaml, file, claim }: Conversion & ConversionFile,
  { next, declared }: { readonly next: string; readonly declared: string },
): readonly Line[] {
  if (yaml === null) {
    return [];
  }
  if (file !== null) {
    return [BLANK, line(0, 'Wrote ', span('strong', file), `. Next: rulewright ${next}`)];
  }
  return claim === null
    ? []
    : [BLANK, line(0, span('warning', `${claim} declares the phase already: `), declared)];
}
