import type { Comparison, RegexLiteral } from '../language/ast.ts';
import { printBytes, printRegex } from '../print/print-literal.ts';
import { printOperand } from '../print/print-expression.ts';
import { literalOfPattern } from '../regex/compile-regex.ts';
import { showBytes } from '../language/source-bytes.ts';
import { fieldOf } from '../language/field-tests.ts';
import type { Report, CheckSubject } from './check-finding.ts';

const HOST_FIELD = /^(?:http\.host|http\.referer|(?:raw\.)?http\.request\.full_uri)$/u;
const BARE_DOT = /[a-zA-Z0-9]\.[a-zA-Z0-9]/u;

/** Reports regular expressions that match less or more than they seem to. */
export function checkPatterns({ comparisons }: CheckSubject, report: Report): void {
  for (const comparison of comparisons) {
    if (comparison.right.kind === 'regex') {
      checkPattern(comparison, comparison.right, report);
    }
  }
}

function checkPattern(comparison: Comparison, regex: RegexLiteral, report: Report): void {
  const { left } = comparison;
  const { pattern, form, span } = regex;
  const isPlain = checkPlain(comparison, regex, report);
  // Escaped pairs are removed first, so that an escaped dot is not taken for a bare one.
  const isHost = HOST_FIELD.test(fieldOf(left) ?? '');
  if (isHost && BARE_DOT.test(pattern.replaceAll(/\\[^]/g, '\\'))) {
    const message = `the dot in ${showBytes(pattern)} matches any character`;
    report('expression/unescaped-dot', { message, span });
  }
  if (!isPlain && form === 'quoted' && pattern.includes('\\')) {
    const replacement = showBytes(printRegex(regex));
    const message = 'backslashes in a quoted regular expression are easily misread';
    report('expression/quoted-regex', { message, span, fix: { span, replacement } });
  }
}

/** Reports a pattern that says no more than a plainer operator; returns whether it does. */
function checkPlain({ left, token }: Comparison, { pattern, span }: RegexLiteral, report: Report): boolean {
  const shown = showBytes(pattern);
  const literal = literalOfPattern(pattern);
  if (/^\^?\.\*\$?$/u.test(pattern) || (literal?.text === '' && !(literal.fromStart && literal.toEnd))) {
    const hint = 'leave the test out, or match what is meant';
    report('expression/plain-regex', { message: `${shown} matches every value`, span, hint });
    return true;
  }
  if (literal === undefined) {
    return false;
  }
  const { text, fromStart, toEnd } = literal;
  const plain = showBytes(printBytes(text));
  const message = `${shown} needs no regular expression`;
  if (fromStart === toEnd) {
    const replacement = `${fromStart ? 'eq' : 'contains'} ${plain}`;
    report('expression/plain-regex', {
      message,
      span,
      hint: `${replacement} does the same`,
      fix: { span: { start: token.span.start, end: span.end }, replacement },
    });
  } else {
    const name = fromStart ? 'starts_with' : 'ends_with';
    const hint = `${name}(${printOperand(left)}, ${plain}) does the same`;
    report('expression/plain-regex', { message, span, hint });
  }
  return true;
}
