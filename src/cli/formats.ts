/** What every command with a result can print. */
export const BASIC_FORMATS = ['text', 'json'] as const;

/** What `plan`, `drift`, `apply` and `rollback` can print; src/cli/renderings.ts says how. */
export const PLAN_FORMATS = [...BASIC_FORMATS, 'markdown', 'html', 'github'] as const;

/** What `validate` can print; src/cli/renderings.ts says how. */
export const VALIDATION_FORMATS = [...BASIC_FORMATS, 'markdown', 'sarif', 'junit', 'github'] as const;

/** What `test` can print. */
export const TEST_FORMATS = [...BASIC_FORMATS, 'junit'] as const;

/** What `deprecations scan` can print. */
export const SCAN_FORMATS = [...BASIC_FORMATS, 'sarif'] as const;

/** A format of what a scan found. */
export type ScanFormat = (typeof SCAN_FORMATS)[number];

/** A format that every command with a result has. */
export type BasicFormat = (typeof BASIC_FORMATS)[number];

/** A format of what changes, and of what came of it. */
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** A format of findings about the files. */
export type ValidationFormat = (typeof VALIDATION_FORMATS)[number];

/** A format of the results of rule tests. */
export type TestFormat = (typeof TEST_FORMATS)[number];

/** Any word of `--format`. */
export type Format = BasicFormat | PlanFormat | ValidationFormat | TestFormat;

/** One form of a result in a file of its own: `html=plan.html`. */
export interface Report<F extends Format = Format> {
  readonly form: F;
  readonly path: string;
}
