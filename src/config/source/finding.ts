import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceSpan } from '../../model/source.ts';
import type { DiagnosticCode } from './diagnostic-codes.ts';
import { DIAGNOSTIC_CODES } from './diagnostic-codes.ts';

/** The content of a finding, besides its code. */
export interface FindingDetails {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly where?: SourceSpan | undefined;
}

/** Returns a diagnostic with the default severity of its code. */
export function finding(code: DiagnosticCode, { message, hint, where }: FindingDetails): Diagnostic {
  return {
    code,
    severity: DIAGNOSTIC_CODES[code].severity,
    message,
    hint,
    where,
  };
}
