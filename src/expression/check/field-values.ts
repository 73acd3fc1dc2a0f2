import type { Comparison } from '../language/ast.ts';
import { FIELDS } from '../language/catalogue.ts';
import { showBytes } from '../language/source.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';
import { integersOf, plainField } from '../language/field-tests.ts';
import { textRulesOf } from './text-rules.ts';
import type { TextTest } from '../language/field-tests.ts';

/** Reports values that a field never has, by letter case, form, range or list of known values. */
export function checkFieldValues({ texts, comparisons }: Subject, report: Report): void {
  for (const test of texts) {
    checkText(test, report);
  }
  for (const comparison of comparisons) {
    checkNumbers(comparison, report);
  }
}

function checkNumbers(comparison: Comparison, report: Report): void {
  const field = plainField(comparison.left) ?? '';
  const between = FIELDS.get(field)?.between;
  if (between === undefined) {
    return;
  }
  const [least, most] = between;
  for (const literal of integersOf(comparison)) {
    const { first, last } = literal.kind === 'int' ? { first: literal.value, last: literal.value } : literal;
    if (last < least || first > most) {
      const message = `${field} is between ${least} and ${most}, never ${literal.text}`;
      report('expression/impossible-value', { message, span: literal.span });
    }
  }
}

function checkText({ field, how, literal }: TextTest, report: Report): void {
  const rules = textRulesOf(field);
  const known = FIELDS.get(field)?.oneOf;
  if (rules === undefined && known === undefined) {
    return;
  }
  const value = showBytes(literal.value);
  const rule = rules?.find(({ how: applies, sound }) => applies.includes(how) && !sound.test(value));
  if (rule !== undefined) {
    report(rule.code, { message: rule.says(value), span: literal.span });
    return;
  }
  if (known !== undefined && how === 'whole' && value !== '' && !known.includes(value)) {
    const hint = `known values are ${known.join(', ')}`;
    report('expression/impossible-value', {
      message: `${field} is never ${value}`,
      span: literal.span,
      hint,
    });
  }
}
