/**
 * The rules language of the service: parse, check, print, compare and evaluate expressions (`rulewright/expression`).
 */
export type * from './ast.ts';
export { answerLine } from './answer-line.ts';
export type { LineCommand } from './answer-line.ts';
export { CATALOGUE, FIELDS, FUNCTIONS, schemeOf } from './catalogue.ts';
export type { FieldFacts, FunctionFacts, PlanNeed, ValueRule } from './catalogue.ts';
export { checkCharacteristic } from './check-characteristic.ts';
export { applyFixes, checkExpression } from './check.ts';
export type { CheckResult } from './check.ts';
export { CODES } from './check/codes.ts';
export type { Code, CodeFacts } from './check/codes.ts';
export type { Finding, Fix, Severity } from './check/finding.ts';
export type { CheckContext } from './check/subject.ts';
export { differenceOf } from './difference.ts';
export type { ExpressionChange } from './difference.ts';
export { excludes, implies } from './implies.ts';
export { compileExpression, compileFilter, compileValue } from './evaluate/compile.ts';
export type { Compiled } from './evaluate/compile.ts';
export type { EvaluationContext, EvaluationOptions, EvaluationProblem } from './evaluate/options.ts';
export { findErrors, parseExpression } from './parse.ts';
export type { ParseOptions } from './parse.ts';
export { formatParseError } from './parse-error.ts';
export type { ParseError, ParseErrorKind } from './parse-error.ts';
export type { Mode, ParseResult } from './parse/expression.ts';
export type { Place, Use } from './place.ts';
export { printCondition, printExpression, printOperand, quoteText, rawText } from './print.ts';
export type { PrintOptions } from './print.ts';
export { sameMeaning } from './same-meaning.ts';
export type { Scheme } from './scheme.ts';
export type { Constraint, Parameter, Signature } from './signature.ts';
export { utf16Offset } from './source.ts';
export { arrayOf, mapOf, parseType, sameType, typeName } from './type.ts';
export type { Type } from './type.ts';
export type { IpAddress, IpRange } from './values/ip.ts';
export { readValues, valueToJson } from './values/read-json.ts';
export type { Int, Value, Values } from './values/value.ts';
