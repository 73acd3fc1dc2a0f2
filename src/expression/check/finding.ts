import type { Span } from '../language/ast.ts';
import { CODES } from './codes.ts';
import type { Code, Severity } from './codes.ts';

/** A change that keeps or states what was meant: the bytes of the span are replaced. */
export interface Fix {
  readonly span: Span;
  readonly replacement: string;
}

/** Something to say about an expression. */
export interface Finding {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  /** Byte offsets in the text. */
  readonly span: Span;
  readonly hint?: string;
  /** Only where applying it without looking is safe. */
  readonly fix?: Fix;
}

/** What a rule says of one place; severity and hint come from the table of codes unless they are given. */
export type Remark = Pick<Finding, 'message' | 'span'> & Partial<Pick<Finding, 'severity' | 'hint' | 'fix'>>;

/** Told of each finding. */
export type Report = (code: Code, remark: Remark) => void;

/** A finding of a code. */
export function finding(code: Code, remark: Remark): Finding {
  const { severity, hint } = CODES[code];
  return { code, severity, ...(hint === undefined ? {} : { hint }), ...remark };
}
