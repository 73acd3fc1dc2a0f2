/**
 * The rules language, for everybody who reads or judges conditions: parse, check, print, compare, imply, compile.
 *
 * Promises: pure; parses and evaluates as the public engine does, with its positions and messages; `implies` and `excludes` say yes only for what is
 * proven, in bounded time; no text makes it throw.
 * Never: knows zones, plans or files. `public.ts` is what the package gives to others.
 */
export { composeWindow, intersectWindows, neutralFrom, splitWindow } from './active-window.ts';
export type { ActiveWindow } from './active-window.ts';
export { answerLine } from './answer-line.ts';
export type { LineCommand } from './answer-line.ts';
export { checkCharacteristic } from './check-characteristic.ts';
export { checkExpression, refusedParts } from './check-expression.ts';
export { CODES } from './check/check-finding.ts';
export type { CheckContext, Finding, Fix } from './check/check-finding.ts';
export { MOST_CHARACTERS } from './check/check-limits.ts';
export { lookAlikesIn } from './check/look-alikes.ts';
export { takeInventory } from './check/take-inventory.ts';
export { currentName, withCurrentNames } from './current-names.ts';
export { meaningOfTree, newNumbering } from './equal/normal-meaning.ts';
export { compileFilter, compileValue } from './evaluate/compile-expression.ts';
export type { Compiled } from './evaluate/compile-expression.ts';
export type { EvaluationContext } from './functions/function.ts';
export { decodeUrl } from './functions/text-functions.ts';
export { excludes, implies, isAlwaysTrue, isTrueOverIpv4 } from './implies.ts';
export { demandApart, demandsOf, firstDemand } from './imply/demands.ts';
export type { Demand } from './imply/demands.ts';
export type {
  Argument,
  Comparison,
  Condition,
  Field,
  FunctionCall,
  Index,
  Operand,
  RightSide,
  Tree,
} from './language/ast.ts';
export { MANAGED_LISTS, belongsIn } from './check/check-names.ts';
export { CATALOGUE, FIELDS, FUNCTIONS, constantOf } from './language/catalogue.ts';
export type { FieldFacts, FunctionFacts, PlanNeed, Scheme } from './language/catalogue.ts';
export { PLACES } from './language/expression-place.ts';
export type { SignatureParameter } from './language/signature.ts';
export { operatorsOf } from './parse/comparison.ts';
export { flatten, leavesOf, plainField } from './language/field-tests.ts';
export type { Leaf } from './language/field-tests.ts';
export { ODD_BLANKS } from './language/odd-blanks.ts';
export { formatParseError } from './language/parse-error.ts';
export type { ParseError } from './language/parse-error.ts';
export { showBytes, utf16Offsets } from './language/source-bytes.ts';
export { allLists, listsIn, namedLists } from './named-lists.ts';
export type { NamedList } from './named-lists.ts';
export { namesField } from './named-fields.ts';
export { withOpaque } from './opaque.ts';
export type { ParseResult } from './parse/parse-text.ts';
export { parseExpression } from './parse/parse-expression.ts';
export { planNeeds, usesRegex } from './plan-needs.ts';
export {
  printCondition,
  printExpression,
  printOperand,
  quoteText,
  rawText,
} from './print/print-expression.ts';
export { sampleOfPattern } from './regex/compile-regex.ts';
export { sameMeaning } from './same-meaning.ts';
export { decodeBytes, encodeBytes, lowerAscii } from './values/bytes.ts';
export { fillDefaults } from './values/defaults.ts';
export { parseIpSetItem } from './values/ip-set-item.ts';
export { isWithinRange, mergeRanges } from './values/ranges.ts';
export { listsFromJson } from './values/lists-from-json.ts';
export { readValues, valueToJson } from './values/read-json.ts';
export { arrayOf, isCollection, mapOf, typeName } from './values/type.ts';
export type { Type } from './values/type.ts';
export { isIp, mapOfEntries, sameScalar, toInt } from './values/value.ts';
export type { Value, Values } from './values/value.ts';
export { parseWildcard } from './values/wildcard.ts';
export type { WildcardCase } from './values/wildcard.ts';
