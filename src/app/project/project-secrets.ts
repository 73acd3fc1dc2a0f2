import type { SensitiveValue } from '../../model/index.ts';

/** The sensitive values of a project, as far as the environment of a run has them. */
export interface ProjectSecrets {
  /** Values that only requests contain. The rest of the run sees their references, except an import, which looks for them spelled out in files. */
  readonly known: readonly SensitiveValue[];
  /** Environment variables whose values are not known, so that they could not be recognised in responses. */
  readonly missing: readonly string[];
  /** Environment variables that were sensitive at the revisions which the run compares with, and stay so in what it plans. */
  readonly former: readonly string[];
}

/** The secrets of a project without sensitive values. */
export const NO_SECRETS: ProjectSecrets = { known: [], missing: [], former: [] };
