import type { OutlineResult } from '../../config/load-project.ts';

/** Why files are not valid, to stand at the end of a sentence. */
export function firstFinding({ diagnostics: [first] }: Pick<OutlineResult, 'diagnostics'>): string {
  const place = first?.where === undefined ? '' : `${first.where.file} `;
  return first === undefined ? '' : `: ${place}${first.message}`;
}
