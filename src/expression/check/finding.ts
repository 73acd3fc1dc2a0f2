import type { Span } from '../language/ast.ts';
import { CODES } from './codes.ts';
import type { Code, Severity } from './codes.ts';

/** A replacement for the bytes of a span that keeps what was meant, or states it. */
export interface Fix {
  readonly span: Span;
  readonly replacement: string;
}

/** A remark about one place of an expression. */
export interface Finding {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  /** Byte offsets in the text. */
  readonly span: Span;
  readonly hint?: string;
  /** Set only where it is safe to apply without review. */
  readonly fix?: Fix;
}

/** What a check says about one place; severity and hint come from the table of codes unless given here. */
export type Remark = Pick<Finding, 'message' | 'span'> & Partial<Pick<Finding, 'severity' | 'hint' | 'fix'>>;

/** Receives each finding of a check. */
export type Report = (code: Code, remark: Remark) => void;

/** Makes a finding with the usual severity and hint of its code. */
export function finding(code: Code, remark: Remark): Finding {
  const { severity, hint } = CODES[code];
  return { code, severity, ...(hint === undefined ? {} : { hint }), ...remark };
}
