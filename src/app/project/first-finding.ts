import type { LargeLoadResult } from '../../config/index.ts';

/** Returns why files are not valid, phrased to end a sentence; empty without a finding. */
export function firstFinding({ diagnostics: [first] }: Pick<LargeLoadResult, 'diagnostics'>): string {
  const place = first?.where === undefined ? '' : `${first.where.file} `;
  return first === undefined ? '' : `: ${place}${first.message}`;
}
