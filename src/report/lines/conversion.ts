import type { Conversion, ConversionFile } from '../../model/conversion.ts';
import type { Line } from '../layout.ts';
import { BLANK, line, span } from '../layout.ts';

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
