import type { Tree } from './ast.ts';
import { CATALOGUE } from './catalogue.ts';
import { checkAddresses } from './check/addresses.ts';
import { checkArgumentValues } from './check/argument-values.ts';
import { checkArrays } from './check/arrays.ts';
import { checkFieldValues } from './check/field-values.ts';
import { finding } from './check/finding.ts';
import type { Finding, Fix } from './check/finding.ts';
import { charactersBeyondLimit, checkLimits, MOST_CHARACTERS } from './check/limits.ts';
import { checkLists } from './check/lists.ts';
import { checkLogic } from './check/logic.ts';
import { checkLookAlikes } from './check/look-alikes.ts';
import { checkMissingValues } from './check/missing-values.ts';
import { checkNames } from './check/names.ts';
import { checkNumbers } from './check/numbers.ts';
import { checkPatterns } from './check/patterns.ts';
import { checkPlaces } from './check/places.ts';
import { checkPlans } from './check/plans.ts';
import { checkSets } from './check/sets.ts';
import type { CheckContext, Rule } from './check/subject.ts';
import { syntaxFinding } from './check/syntax.ts';
import { takeInventory } from './check/take-inventory.ts';
import { checkTexts } from './check/texts.ts';
import { checkValues } from './check/values.ts';
import { findErrors, parseExpression } from './parse.ts';
import { showBytes } from './source.ts';
import { encodeBytes } from './values/bytes.ts';

/** What a check found; the tree is there when the text parses. */
export interface CheckResult {
  readonly tree: Tree | undefined;
  /** In the order of the text. */
  readonly findings: readonly Finding[];
}

const RULES: readonly Rule[] = [
  checkNames,
  checkPlaces,
  checkPlans,
  checkLimits,
  checkArgumentValues,
  checkLists,
  checkFieldValues,
  checkTexts,
  checkLookAlikes,
  checkAddresses,
  checkSets,
  checkNumbers,
  checkPatterns,
  checkLogic,
  checkMissingValues,
  checkArrays,
  checkValues,
];

/**
 * Checks an expression beyond what the engine's parser does: all parse errors with hints, then names, places, plans, limits, values
 * and likely mistakes (`rules-language.md` 4, 5, 8). What the context leaves open is not checked. Never throws.
 */
export function checkExpression(text: string, context: CheckContext = {}): CheckResult {
  const scheme = context.scheme ?? CATALOGUE;
  const options = { mode: context.use === 'value' ? 'value' : 'filter', scheme } as const;
  if (text.trim() === '') {
    const span = { start: 0, end: encodeBytes(text).length };
    return {
      tree: undefined,
      findings: [finding('expression/blank', { message: 'the expression cannot be blank', span })],
    };
  }
  if (text.length > MOST_LOOKED_AT) {
    return { tree: undefined, findings: tooLong(text) };
  }
  const parsed = parseExpression(text, options);
  if (!parsed.ok) {
    const errors = findErrors(text, options).map((error) => syntaxFinding(error, text, scheme));
    return { tree: undefined, findings: [...errors, ...tooLong(text)] };
  }
  const subject = takeInventory(text, parsed.tree, context);
  const findings: Finding[] = [];
  for (const rule of RULES) {
    rule(subject, (code, remark) => findings.push(finding(code, remark)));
  }
  return { tree: parsed.tree, findings: findings.sort((one, other) => one.span.start - other.span.start) };
}

/** Of a longer text nothing is told but its length: no other spelling makes it fit, and checking it takes long. */
const MOST_LOOKED_AT = 16 * MOST_CHARACTERS;

function tooLong(text: string): readonly Finding[] {
  const length = charactersBeyondLimit(text);
  if (length === null) {
    return [];
  }
  const span = { start: 0, end: encodeBytes(text).length };
  return [
    finding('expression/too-long', {
      message: `expression size ${length} exceeded maximum ${MOST_CHARACTERS}`,
      span,
    }),
  ];
}

/** The text with the fixes of some findings applied; of two fixes that touch each other, only the first is. */
export function applyFixes(text: string, findings: readonly Finding[]): string {
  return replaceSpans(
    text,
    findings.flatMap(({ fix }) => (fix === undefined ? [] : [fix])),
  );
}

/** The text with other characters in some places; of two places that touch each other, only the first is changed. */
export function replaceSpans(text: string, fixes: readonly Fix[]): string {
  const bytes = encodeBytes(text);
  let fixed = '';
  let position = 0;
  for (const { span, replacement } of fixes.toSorted((one, other) => one.span.start - other.span.start)) {
    if (span.start >= position) {
      fixed += bytes.slice(position, span.start) + encodeBytes(replacement);
      position = span.end;
    }
  }
  return showBytes(fixed + bytes.slice(position));
}
