import type { Comparison } from '../ast.ts';
import { FIELDS } from '../catalogue.ts';
import { showBytes } from '../source.ts';
import type { Report } from './finding.ts';
import type { Code } from './codes.ts';
import type { Subject } from './subject.ts';
import { integersOf, plainField } from './tests.ts';
import type { TextTest } from './tests.ts';

interface TextRule {
  readonly code: Code;
  readonly how: readonly TextTest['how'][];
  /** What a value of these fields looks like. */
  readonly sound: RegExp;
  readonly says: (value: string) => string;
}

const WHOLE = ['whole'] as const;

/** What values of some fields look like (`rules-language.md` 5). */
const TEXT_RULES: readonly (readonly [fields: readonly string[], rules: readonly TextRule[]])[] = [
  [
    ['http.request.method'],
    [
      {
        code: 'expression/value-case',
        how: WHOLE,
        sound: /^[^a-z]*$/u,
        says: (value) => `methods are in upper case: ${value.toUpperCase()}`,
      },
    ],
  ],
  [
    ['ip.src.country', 'ip.geoip.country', 'ip.dst.country'],
    [
      {
        code: 'expression/impossible-value',
        how: WHOLE,
        sound: /^(?:[A-Z]{2}|T1|)$/u,
        says: (value) => `country codes have two upper-case letters, not ${value}`,
      },
    ],
  ],
  [
    rawToo('http.request.uri', 'http.request.uri.path'),
    [
      {
        code: 'expression/path-slash',
        how: ['whole', 'start'],
        sound: /^(?:\/|$)/u,
        says: (value) => `no path starts with ${value.slice(0, 20)}`,
      },
      {
        code: 'expression/path-slash',
        how: ['wildcard'],
        sound: /^[/*]/u,
        says: (value) => `no path starts with ${value.slice(0, 20)}`,
      },
    ],
  ],
  [
    rawToo('http.request.uri.path.extension'),
    [
      {
        code: 'expression/impossible-value',
        how: WHOLE,
        sound: /^[^.A-Z]*$/u,
        says: (value) =>
          `extensions are in lower case and without the dot: ${value.replaceAll('.', '').toLowerCase()}`,
      },
    ],
  ],
  [
    rawToo('http.request.full_uri'),
    [
      {
        code: 'expression/impossible-value',
        how: ['whole', 'start'],
        sound: /^(?:h|$)/u,
        says: () => 'full URIs start with http:// or https://',
      },
    ],
  ],
];

const RULES_OF: ReadonlyMap<string, readonly TextRule[]> = new Map(
  TEXT_RULES.flatMap(([fields, rules]) => fields.map((field) => [field, rules])),
);

function rawToo(...fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => [field, `raw.${field}`]);
}

/** Values that a field never has: in its case, its form, its range, its list of values. */
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
  const rules = RULES_OF.get(field);
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
