import { choiceFlagOr, filePath, listFlag } from './flag.ts';

/** Formats for people, which are printed from one document. */
export const DOCUMENT_FORMATS = ['text', 'markdown', 'html'] as const;

/** Formats of every command with a result. */
export const BASIC_FORMATS = [...DOCUMENT_FORMATS, 'json'] as const;

/** Formats of `plan`, `drift`, `apply` and `rollback`; src/cli/renderings.ts makes them. */
export const PLAN_FORMATS = [...BASIC_FORMATS, 'github'] as const;

/** Formats of `validate`; src/cli/renderings.ts makes them. */
export const VALIDATION_FORMATS = [...BASIC_FORMATS, 'sarif', 'junit', 'github'] as const;

/** Formats of `test`. */
export const TEST_FORMATS = [...BASIC_FORMATS, 'junit'] as const;

/** Formats of `deprecations scan`. */
export const SCAN_FORMATS = [...BASIC_FORMATS, 'sarif'] as const;

/** A format for people. */
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** A format that every command with a result has. */
export type BasicFormat = (typeof BASIC_FORMATS)[number];

/** A format of plans and outcomes. */
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** A format of findings about the files. */
export type ValidationFormat = (typeof VALIDATION_FORMATS)[number];

/** Any word of `--format`. */
export type Format = PlanFormat | ValidationFormat;

/** A result in one more format, and the file for it: `html=plan.html`. */
export interface ExtraResult<F extends Format = Format> {
  readonly format: F;
  readonly path: string;
}

/** Returns the parameter `--format`. */
export function formatFlag<F extends Format>(values: readonly ['text', ...F[]]) {
  return choiceFlagOr<F | 'text'>(values, 'Format of the result');
}

/** Returns the parameters `--format` and `--report` of a command with formats for people, machines and forges, of which one run may want several. */
export function formatFlags<F extends Format>(values: readonly ['text', ...F[]]) {
  return {
    format: formatFlag(values),
    report: listFlag(extraResult(values), 'FORMAT=FILE', 'Also write it in another format (repeatable)'),
  };
}

function extraResult<F extends Format>(values: readonly F[]): (text: string) => ExtraResult<F> {
  return (text) => {
    const [, word, path] = /^([^=]*)=(.+)$/su.exec(text) ?? [];
    const format = values.find((value) => value === word);
    if (format === undefined || path === undefined) {
      throw new Error(
        `expected a format and a file, such as ${values.at(-1)}=FILE; the formats are ${values.join(', ')}`,
      );
    }
    return { format, path: filePath(path) };
  };
}
