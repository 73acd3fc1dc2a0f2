import type { Combination, ConditionArgument, Not } from '../language/ast.ts';
import { meaningOf, newNumbering } from '../equal/normal-meaning.ts';
import { encodeBytes } from '../values/bytes.ts';
import { showBytes } from '../language/source-bytes.ts';
import { flatten, isJoined, ungroup, testedField } from '../language/field-tests.ts';
import type { Ungrouped } from '../language/field-tests.ts';
import type { Report, CheckSubject } from './check-finding.ts';

/** Reports joined and negated conditions that are easily misread. The fixes keep the meaning. */
export function checkLogic(subject: CheckSubject, report: Report): void {
  const { combinations, negations, text } = subject;
  const bytes = encodeBytes(text);
  const starts = new Set(
    negations.length === 0 ? [] : conditionArguments(subject).map(({ span }) => span.start),
  );
  for (const combination of combinations) {
    checkMixed(combination, bytes, report);
    checkRepeated(combination, report);
  }
  for (const negation of negations) {
    checkNegation(negation, { bytes, beginsArgument: starts.has(negation.span.start) }, report);
  }
}

function conditionArguments({ quantifiers, calls }: CheckSubject): readonly ConditionArgument[] {
  return [...quantifiers.map(({ argument }) => argument), ...calls.flatMap((call) => call.arguments)].filter(
    (argument) => argument.kind === 'condition',
  );
}

function checkMixed({ kind, items }: Combination, bytes: string, report: Report): void {
  for (const item of items) {
    if (isJoined(item)) {
      const message = `${item.kind} binds tighter than ${kind}: say so with parentheses`;
      const replacement = `(${showBytes(bytes.slice(item.span.start, item.span.end))})`;
      report('expression/mixed-operators', {
        message,
        span: item.span,
        fix: { span: item.span, replacement },
      });
    }
  }
}

function checkRepeated(combination: Combination, report: Report): void {
  if (combination.kind === 'xor') {
    return;
  }
  const clauses = flatten(combination, combination.kind);
  if (areApart(clauses)) {
    return;
  }
  const numbering = newNumbering();
  const seen = new Set<number>();
  for (const clause of clauses) {
    const meaning = meaningOf(numbering, clause);
    if (seen.has(meaning)) {
      const message = `this clause is already in the same ${combination.kind}`;
      report('expression/repeated-clause', { message, span: clause.span });
    }
    seen.add(meaning);
  }
}

/** Whether the clauses test different fields, one each, so that no two can mean the same. This holds for most combinations. */
function areApart(clauses: readonly Ungrouped[]): boolean {
  const fields = clauses.map(testedField);
  return !fields.includes(undefined) && new Set(fields).size === fields.length;
}

function checkNegation(
  negation: Not,
  { bytes, beginsArgument }: { readonly bytes: string; readonly beginsArgument: boolean },
  report: Report,
): void {
  const inner = ungroup(negation.item);
  if (inner.kind !== 'not') {
    return;
  }
  // The inner condition keeps its own parentheses, so that it can replace the negations as one operand.
  const { start, end } = inner.item.span;
  const text = showBytes(bytes.slice(start, end));
  // An argument that begins with a name is read as a single comparison, so that anything joined to it needs parentheses (rules-language.md
  // 1.5).
  const replacement = beginsArgument && !text.startsWith('(') ? `(${text})` : text;
  const { span } = negation;
  report('expression/double-negation', {
    message: 'two negations cancel out',
    span,
    fix: { span, replacement },
  });
}
