import { FIELDS } from '../language/catalogue.ts';
import { showBytes } from '../language/source-bytes.ts';
import type { TextTest } from '../language/field-tests.ts';
import type { Report, CheckSubject } from './check-finding.ts';
import { textRulesOf } from './text-rules.ts';

/** Reports values that a field never has, by letter case, form or list of known values. */
export function checkFieldValues({ texts }: CheckSubject, report: Report): void {
  for (const test of texts) {
    checkText(test, report);
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
