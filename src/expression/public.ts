/**
 * The rules language of the service: parse, check, print, compare and evaluate expressions (`rulewright/expression`).
 */
export type * from './language/ast.ts';
export { answerLine } from './answer-line.ts';
export type { LineCommand } from './answer-line.ts';
export { CATALOGUE, FIELDS, FUNCTIONS, schemeOf } from './language/catalogue.ts';
export type { FieldFacts, FunctionFacts, PlanNeed, ValueRule } from './language/catalogue.ts';
export { checkCharacteristic } from './check-characteristic.ts';
export { applyFixes, checkExpression, refusedParts } from './check-expression.ts';
export type { CheckResult } from './check-expression.ts';
export { CODES } from './check/check-finding.ts';
export { lookAlikesIn } from './check/look-alikes.ts';
export type { LookAlike } from './check/look-alikes.ts';
export type { Code, CodeFacts, CheckSeverity } from './check/check-finding.ts';
export type { Finding, Fix } from './check/check-finding.ts';
export type { CheckContext } from './check/check-finding.ts';
export { differenceOf } from './difference.ts';
export type { ExpressionChange } from './difference.ts';
export { excludes, implies } from './implies.ts';
export { compileExpression, compileFilter, compileValue } from './evaluate/compile-expression.ts';
export type { Compiled } from './evaluate/compile-expression.ts';
export type { EvaluationContext, EvaluationOptions, EvaluationProblem } from './functions/function.ts';
export { namedLists } from './named-lists.ts';
export type { NamedList } from './named-lists.ts';
export { findErrors, parseExpression } from './parse/parse-expression.ts';
export type { ParseOptions } from './parse/parse-expression.ts';
export { formatParseError } from './language/parse-error.ts';
export type { ParseError } from './language/parse-error.ts';
export type { ParseErrorKind } from './language/parse-error-kind.ts';
export type { Mode, ParseResult } from './parse/parse-text.ts';
export type { ExpressionPlace, Use } from './language/expression-place.ts';
export {
  printCondition,
  printExpression,
  printOperand,
  quoteText,
  rawText,
} from './print/print-expression.ts';
export type { PrintOptions } from './print/print-expression.ts';
export { sameMeaning } from './same-meaning.ts';
export type { Scheme } from './language/catalogue.ts';
export type { Constraint, SignatureParameter, FunctionSignature } from './language/signature.ts';
export { utf16Offsets } from './language/source-bytes.ts';
export { leavesOf } from './language/field-tests.ts';
export type { Leaf } from './language/field-tests.ts';
export { arrayOf, mapOf, parseType, sameType, typeName } from './values/type.ts';
export type { Type } from './values/type.ts';
export type { IpAddress, IpRange } from '../data/index.ts';
export { readValues, valueToJson } from './values/read-json.ts';
export type { Json } from './values/read-json.ts';
export type { Int, Value, Values } from './values/value.ts';
