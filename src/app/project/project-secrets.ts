import type { SensitiveValue } from '../../model/sensitive.ts';

/** What a project calls sensitive, as far as the environment of a run knows it. */
export interface ProjectSecrets {
  /** Values that stand in requests alone. Nothing else of the run sees them, but for an import, which finds them spelled out in files. */
  readonly known: readonly SensitiveValue[];
  /** Environment variables whose values are not known, so that they could not be recognised in responses. */
  readonly missing: readonly string[];
  /** Environment variables whose values were sensitive at the revisions that the run compares with, and stay so in what it plans. */
  readonly former: readonly string[];
}

/** The secrets of a project that has none. */
export const NO_SECRETS: ProjectSecrets = { known: [], missing: [], former: [] };
