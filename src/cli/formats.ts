import { choiceFlagOr, filePath, listFlag } from './flag.ts';

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

/** A format that every command with a result has. */
export type BasicFormat = (typeof BASIC_FORMATS)[number];

/** A format of plans and outcomes. */
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** A format of findings about the files. */
export type ValidationFormat = (typeof VALIDATION_FORMATS)[number];

/** A format of rule tests. */
export type TestFormat = (typeof TEST_FORMATS)[number];

/** A format of findings about what the service retires. */
export type ScanFormat = (typeof SCAN_FORMATS)[number];

/** Any word of `--format`. */
export type Format = PlanFormat | ValidationFormat;

/** One form of a result in a file of its own: `html=plan.html`. */
export interface Report<F extends Format = Format> {
  readonly form: F;
  readonly path: string;
}

/** The parameter `--format`. */
export function formatFlag<F extends Format>(values: readonly ['text', ...F[]]) {
  return choiceFlagOr<F | 'text'>(values, 'Format of the result');
}

/**
 * The parameters `--format` and `--report` of a command with forms for people, for machines and for forges, several of which may be wanted
 * of one run.
 */
export function formFlags<F extends Format>(values: readonly ['text', ...F[]]) {
  return {
    format: formatFlag(values),
    report: listFlag(reportOf(values), 'FORMAT=FILE', 'Also write it in another format (repeatable)'),
  };
}

function reportOf<F extends Format>(values: readonly F[]): (text: string) => Report<F> {
  return (text) => {
    const [, word, path] = /^([^=]*)=(.+)$/su.exec(text) ?? [];
    const form = values.find((value) => value === word);
    if (form === undefined || path === undefined) {
      throw new Error(
        `expected a format and a file, such as ${values.at(-1)}=FILE; the formats are ${values.join(', ')}`,
      );
    }
    return { form, path: filePath(path) };
  };
}
