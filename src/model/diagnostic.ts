import { compareText } from '../text/index.ts';
import type { SourceSpan } from './source.ts';

/** The severity of a finding: an error stops the run. */
export type Severity = 'error' | 'warning' | 'info';

/** A finding about the files: what is wrong, where, and how to fix it. */
export interface Diagnostic {
  /** Stable code, such as `schema/unknown-key`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Absent when the finding has no place in a file. */
  readonly where?: SourceSpan | undefined;
  /** Whether `validate --fix` can fix it. */
  readonly fixable?: true;
  /** The rule that ends, or has ended, in a finding about that. */
  readonly ends?: EndOfRule;
}

/** When the window of a rule ends, and whose the rule is. */
export interface EndOfRule {
  /** Its `ref`, where it has one. */
  readonly rule?: string;
  readonly owner?: string;
  /** RFC 3339, in UTC. */
  readonly until: string;
}

/** A change that `validate --fix` made. */
export interface AppliedFix {
  /** Code of the finding that the change fixes. */
  readonly code: string;
  /** The span that was replaced, as it was before the change. */
  readonly where: SourceSpan;
  readonly before: string;
  readonly after: string;
}

/**
 * A file in which `validate --fix` did not fix all it could: `unreadable`; `uses-unknown` (it is a pack, and not all its uses are known); or
 * `not-safe` (the result could not be written so that it means exactly the same).
 */
export interface NotFixed {
  readonly file: string;
  readonly reason: 'unreadable' | 'uses-unknown' | 'not-safe';
  /** The files that prevented the fix. */
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

/** The fixed facts about a diagnostic code, independent of any finding. */
export interface CodeHelp {
  readonly severity: Severity;
  readonly title: string;
  readonly hint?: string | undefined;
}

/** What is known of a code of a finding or an error. */
export interface ExplainedCode {
  readonly code: string;
  readonly severity: Severity;
  /** In one sentence. */
  readonly meaning: string;
  /** What else there is to say, with an example and what Rulewright says of it. */
  readonly parts: readonly { readonly kind: 'text' | 'example' | 'output'; readonly text: string }[];
}
