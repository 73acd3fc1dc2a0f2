import type { Diagnostic } from '../../model/diagnostic.ts';
import { sortDiagnostics } from '../../model/diagnostic.ts';
import type { Severities } from './severities.ts';
import { weigh } from './severities.ts';
import type { SuppressionPlaces } from './suppress.ts';
import { suppress } from './suppress.ts';

/** What findings are judged by. */
export interface Judgement extends SuppressionPlaces {
  readonly severities: Severities;
}

/** Findings as the project sees them, in order: without those that comments suppress, and as heavy as `lint` says. */
export function judge(findings: readonly Diagnostic[], judgement: Judgement): readonly Diagnostic[] {
  const { kept, comments } = suppress(findings, judgement);
  return sortDiagnostics(weigh([...kept, ...comments], judgement.severities));
}

/** As `judge`, for findings of a plan; what is to be said of comments was said when the files were loaded. */
export function judgeAgain(
  findings: readonly Diagnostic[],
  { severities, comments }: Omit<Judgement, 'isComplete'>,
): readonly Diagnostic[] {
  return weigh(suppress(findings, { comments, isComplete: () => false }).kept, severities);
}
