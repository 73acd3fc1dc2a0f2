import type { BytesLiteral, Comparison, Operand } from '../language/ast.ts';
import { showBytes } from '../language/source.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';

type Text = Pick<BytesLiteral, 'value' | 'span'>;

/** Letters that a result never has; both functions turn ASCII letters alone (`rules-language.md` 7). */
const NEVER = new Map([
  ['lower', { letters: /[A-Z]/gu, named: 'upper-case', turn: (text: string) => text.toLowerCase() }],
  ['upper', { letters: /[a-z]/gu, named: 'lower-case', turn: (text: string) => text.toUpperCase() }],
]);

/** Texts with letters in a case that what they are compared with never has: `lower(http.host) eq "Example.com"`. */
export function checkLetterCase({ comparisons, calls }: Subject, report: Report): void {
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

/** The texts of which a value has to be one, or to hold it. `wildcard` disregards the case, and an order says nothing of letters. */
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
