import { compareText } from './compare-text.ts';
import type { SourceSpan } from './source.ts';

/** How much a finding weighs: errors stop the run. */
export type Severity = 'error' | 'warning' | 'info';

/** A finding about the files: what, where, and how to mend it. */
export interface Diagnostic {
  /** Stable code, such as `schema/unknown-key`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Absent when the finding belongs to no place in a file. */
  readonly where?: SourceSpan | undefined;
  /** Whether `validate --fix` mends it. */
  readonly fixable?: true;
}

/** A change that `validate --fix` made. */
export interface AppliedFix {
  /** Code of the finding that it mends. */
  readonly code: string;
  /** Where the stretch stood when it was changed. */
  readonly where: SourceSpan;
  readonly before: string;
  readonly after: string;
}

/**
 * A file in which `validate --fix` did not mend what it could: it cannot be read; it is a pack, and it is not known where that is used; or
 * the mended text could not be written so that it says just that.
 */
export interface NotFixed {
  readonly file: string;
  readonly reason: 'unreadable' | 'uses-unknown' | 'not-safe';
  /** The files that stand in the way. */
  readonly because: readonly string[];
}

/** Whether any of the findings is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** Findings in the order a person reads them: by file, then by place, then by code. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((a, b) => {
    const byFile = compareText(a.where?.file ?? '', b.where?.file ?? '');
    return (
      byFile ||
      (a.where?.start.line ?? 0) - (b.where?.start.line ?? 0) ||
      (a.where?.start.column ?? 0) - (b.where?.start.column ?? 0) ||
      compareText(a.code, b.code)
    );
  });
}
