import type { BytesLiteral, Comparison, Operand } from '../language/ast.ts';
import { showBytes } from '../language/source-bytes.ts';
import type { Report, CheckSubject } from './check-finding.ts';

type Text = Pick<BytesLiteral, 'value' | 'span'>;

/** The letters that the result of each function never has; both functions change ASCII letters only (`rules-language.md` 7). */
const NEVER = new Map([
  ['lower', { letters: /[A-Z]/gu, named: 'upper-case', turn: (text: string) => text.toLowerCase() }],
  ['upper', { letters: /[a-z]/gu, named: 'lower-case', turn: (text: string) => text.toUpperCase() }],
]);

/** Reports literals with letters in a case that the tested value never has: `lower(http.host) eq "Example.com"`. */
export function checkLetterCase({ comparisons, calls }: CheckSubject, report: Report): void {
  for (const comparison of comparisons) {
    for (const literal of textsOf(comparison)) {
      checkText(comparison.left, literal, report);
    }
  }
  for (const call of calls) {
    const [source, literal] = call.arguments;
    const isTest = call.name === 'starts_with' || call.name === 'ends_with';
    if (isTest && source?.kind === 'operand' && literal?.kind === 'bytes') {
      checkText(source, literal, report);
    }
  }
}

/** Returns the literals that a value must equal or contain. `wildcard` ignores case, and orderings do not require particular letters. */
function textsOf({ operator, right }: Comparison): readonly Text[] {
  switch (right.kind) {
    case 'bytes':
      return operator === 'eq' || operator === 'ne' || operator === 'contains' ? [right] : [];
    case 'set':
      return right.of === 'Bytes' ? right.items : [];
    case 'wildcard-pattern':
      return operator === 'strict wildcard' ? [{ value: right.pattern, span: right.span }] : [];
    default:
      return [];
  }
}

function checkText({ source }: Operand, { value, span }: Text, report: Report): void {
  if (source.kind !== 'call') {
    return;
  }
  const never = NEVER.get(source.name);
  if (never !== undefined && value.search(never.letters) >= 0) {
    const shown = showBytes(value);
    report('expression/value-case', {
      message: `${source.name}(...) has no ${never.named} letters, and ${shown} has some`,
      hint: `compare it with ${shown.replaceAll(never.letters, never.turn)}`,
      span,
    });
  }
}
