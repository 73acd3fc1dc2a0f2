import type { Conversion, ConversionFile } from '../../model/index.ts';
import type { Line } from '../layout.ts';
import { BLANK, line, span } from '../layout.ts';

/**
 * Returns lines about how to continue after a conversion: the next command when a file was written, or what to do when the phase is already
 * declared.
 */
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
