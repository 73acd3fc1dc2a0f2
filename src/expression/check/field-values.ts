import { FIELDS } from '../catalogue.ts';
import { showBytes } from '../source.ts';
import { finding } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Code } from './codes.ts';
import type { Subject } from './subject.ts';
import { integersOf, plainField, textTests } from './tests.ts';
import type { TextTest } from './tests.ts';

interface TextRule {
  readonly code: Code;
  readonly fields: RegExp;
  readonly how: readonly TextTest['how'][];
  /** What a value of these fields looks like. */
  readonly sound: RegExp;
  readonly says: (value: string) => string;
}

const WHOLE = ['whole'] as const;

/** What values of some fields look like (`rules-language.md` 5). */
const TEXT_RULES: readonly TextRule[] = [
  {
    code: 'expression/value-case',
    fields: /^http\.request\.method$/u,
    how: WHOLE,
    sound: /^[^a-z]*$/u,
    says: (value) => `methods are in upper case: ${value.toUpperCase()}`,
  },
  {
    code: 'expression/impossible-value',
    fields: /^ip\.(?:src|geoip|dst)\.country$/u,
    how: WHOLE,
    sound: /^(?:[A-Z]{2}|T1|)$/u,
    says: (value) => `country codes have two upper-case letters, not ${value}`,
  },
  {
    code: 'expression/path-slash',
    fields: /^(?:raw\.)?http\.request\.uri(?:\.path)?$/u,
    how: ['whole', 'start'],
    sound: /^(?:\/|$)/u,
    says: (value) => `no path starts with ${value.slice(0, 20)}`,
  },
  {
    code: 'expression/path-slash',
    fields: /^(?:raw\.)?http\.request\.uri(?:\.path)?$/u,
    how: ['wildcard'],
    sound: /^[/*]/u,
    says: (value) => `no path starts with ${value.slice(0, 20)}`,
  },
  {
    code: 'expression/impossible-value',
    fields: /^(?:raw\.)?http\.request\.uri\.path\.extension$/u,
    how: WHOLE,
    sound: /^[^.A-Z]*$/u,
    says: (value) =>
      `extensions are in lower case and without the dot: ${value.replaceAll('.', '').toLowerCase()}`,
  },
  {
    code: 'expression/impossible-value',
    fields: /^(?:raw\.)?http\.request\.full_uri$/u,
    how: ['whole', 'start'],
    sound: /^(?:h|$)/u,
    says: () => 'full URIs start with http:// or https://',
  },
];

/** Values that a field never has: in its case, its form, its range, its list of values. */
export function* checkFieldValues(subject: Subject): Iterable<Finding> {
  for (const test of textTests(subject)) {
    yield* checkText(test);
  }
  for (const comparison of subject.comparisons) {
    const between = FIELDS.get(plainField(comparison.left) ?? '')?.between;
    for (const literal of between === undefined ? [] : integersOf(comparison)) {
      const [least, most] = between ?? [0, 0];
      const { first, last } =
        literal.kind === 'int' ? { first: literal.value, last: literal.value } : literal;
      if (last < least || first > most) {
        const message = `${plainField(comparison.left) ?? ''} is between ${least} and ${most}, never ${literal.text}`;
        yield finding('expression/impossible-value', { message, span: literal.span });
      }
    }
  }
}

function* checkText({ field, how, literal }: TextTest): Iterable<Finding> {
  const value = showBytes(literal.value);
  const rule = TEXT_RULES.find(
    ({ fields, how: applies, sound }) => fields.test(field) && applies.includes(how) && !sound.test(value),
  );
  if (rule !== undefined) {
    yield finding(rule.code, { message: rule.says(value), span: literal.span });
    return;
  }
  const known = FIELDS.get(field)?.oneOf;
  if (known !== undefined && how === 'whole' && value !== '' && !known.includes(value)) {
    const hint = `known values are ${known.join(', ')}`;
    yield finding('expression/impossible-value', {
      message: `${field} is never ${value}`,
      span: literal.span,
      hint,
    });
  }
}
