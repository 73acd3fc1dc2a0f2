import type { Tree } from './language/ast.ts';
import { CATALOGUE } from './language/catalogue.ts';
import { checkAddresses, checkArgumentValues, checkNumbers, checkValues } from './check/check-values.ts';
import { checkBounds } from './check/check-bounds.ts';
import { checkArrays, checkMissingValues } from './check/check-arrays.ts';
import { checkFieldValues } from './check/check-field-values.ts';
import { finding } from './check/check-finding.ts';
import type { Finding, Fix, ExpressionCheck, CheckContext, CheckSubject } from './check/check-finding.ts';
import { checkLetterCase } from './check/letter-case.ts';
import { checkLimits, MOST_CHARACTERS, tooLong } from './check/check-limits.ts';
import { checkLists, checkNames, checkPlaces, checkPlans } from './check/check-names.ts';
import { checkLogic } from './check/check-logic.ts';
import { checkLookAlikes } from './check/look-alikes.ts';
import { checkPatterns } from './check/check-patterns.ts';
import { checkSets } from './check/check-sets.ts';
import { syntaxFinding } from './check/check-syntax.ts';
import { takeInventory } from './check/take-inventory.ts';
import { checkTexts } from './check/check-texts.ts';
import { checkTogether } from './check/together.ts';
import { findErrors, parseExpression } from './parse/parse-expression.ts';
import { showBytes } from './language/source-bytes.ts';
import { encodeBytes } from './values/bytes.ts';

/** The result of a check; the tree is undefined when the text does not parse. */
export interface CheckResult {
  readonly tree: Tree | undefined;
  /** In the order of the text when it parses; otherwise the parse errors, then the length. */
  readonly findings: readonly Finding[];
}

const CHECKS: readonly ExpressionCheck[] = [
  checkNames,
  checkPlaces,
  checkPlans,
  checkLimits,
  checkArgumentValues,
  checkLists,
  checkFieldValues,
  checkBounds,
  checkTexts,
  checkLetterCase,
  checkLookAlikes,
  checkAddresses,
  checkSets,
  checkNumbers,
  checkPatterns,
  checkLogic,
  checkTogether,
  checkMissingValues,
  checkArrays,
  checkValues,
];

/** The checks that find what the service refuses. */
const REFUSING: readonly ExpressionCheck[] = [checkPlaces, checkLimits, checkArgumentValues];

/**
 * Checks an expression beyond what the engine's parser does: finds all parse errors, with hints; else checks names, places, plans, limits,
 * values and likely mistakes (`rules-language.md` 4, 5, 8). A check that needs something the context does not give is skipped. Never
 * throws.
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
  const remark = tooLong(text);
  const long = remark === undefined ? [] : [finding('expression/too-long', remark)];
  if (text.length > MOST_CHECKED) {
    return { tree: undefined, findings: long };
  }
  const parsed = parseExpression(text, options);
  if (!parsed.ok) {
    const errors = findErrors(text, options).map((error) => syntaxFinding(error, text, scheme));
    return { tree: undefined, findings: [...errors, ...long] };
  }
  const findings = findingsOf(takeInventory(text, parsed.tree, context), CHECKS);
  return {
    tree: parsed.tree,
    findings: findings.toSorted((one, other) => one.span.start - other.span.start),
  };
}

/**
 * Returns what the service refuses in a text that parses: fields in places that do not have them, exceeded limits, values of arguments
 * (`rules-language.md` 4). Errors only, and less work than `checkExpression`.
 */
export function refusedParts(text: string, tree: Tree, context: CheckContext): readonly Finding[] {
  const findings = findingsOf(takeInventory(text, tree, context), REFUSING);
  return findings.filter(({ severity }) => severity === 'error');
}

function findingsOf(subject: CheckSubject, checks: readonly ExpressionCheck[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const check of checks) {
    check(subject, (code, remark) => findings.push(finding(code, remark)));
  }
  return findings;
}

/**
 * The longest text (in UTF-16 units) that is checked. Of a longer one only the length is reported: no other spelling would make it fit, and
 * checking it takes long.
 */
const MOST_CHECKED = 16 * MOST_CHARACTERS;

/** Applies the fixes of findings to a text. Of two overlapping fixes only the first is applied. */
export function applyFixes(text: string, findings: readonly Finding[]): string {
  return replaceSpans(
    text,
    findings.flatMap(({ fix }) => (fix === undefined ? [] : [fix])),
  );
}

/** Replaces parts of a text. Of two overlapping parts only the first is replaced. */
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
