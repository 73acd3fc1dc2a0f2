import type { Type } from '../values/type.ts';
import type { IpAddress, IpRange } from '../../data/index.ts';

/**
 * The tree of an expression (`rules-language.md` 6.1): tagged unions on `kind`, all read-only.
 *
 * Byte strings (`Bytes`, keys, patterns) are binary strings: one char (0..255) per byte, so that comparing, ordering
 * and slicing are those of bytes. Integers are `bigint` (signed 64 bit). Every node has the span it was read from.
 */
export interface Span {
  /** First byte, counted from 0 in the UTF-8 form of the whole text. */
  readonly start: number;
  /** The byte after the last. */
  readonly end: number;
}

/** A condition: of type Bool, or Array<Bool> inside any/all. */
export type Condition = Combination | Not | Group | Quantifier | Comparison | Bare;

/** `a or b or c`: two or more operands of one operator, flat, in the order written. */
export interface Combination {
  readonly kind: 'or' | 'xor' | 'and';
  readonly items: readonly Condition[];
  readonly span: Span;
}

/** An operator or keyword as it was written. */
export interface OperatorToken {
  readonly text: string;
  readonly span: Span;
}

/** `not x` or `!x`: takes exactly one simple condition. */
export interface Not {
  readonly kind: 'not';
  readonly item: Condition;
  readonly operator: OperatorToken;
  readonly span: Span;
}

/** Parentheses, which keep their own node. */
export interface Group {
  readonly kind: 'group';
  readonly item: Condition;
  readonly span: Span;
}

/** `any(...)` or `all(...)` over an Array<Bool>; of type Bool. */
export interface Quantifier {
  readonly kind: 'quantifier';
  readonly quantifier: 'any' | 'all';
  /** An operand of type Array<Bool> (which may be nil) or a condition of that type. */
  readonly argument: Operand | ConditionArgument;
  readonly span: Span;
}

/** An operand that is a condition by itself: of type Bool or Array<Bool> (`elementwise`). */
export interface Bare {
  readonly kind: 'bare';
  readonly operand: Operand;
  /** Whether the condition's type is Array<Bool>: the operand is an Array<Bool>, or has `[*]` over Bool. */
  readonly elementwise: boolean;
  readonly span: Span;
}

/** Operators with a right side; `&` is `bitwise_and`, `~` is `matches`, `==` is `eq`. */
export type Operator = OrderingOperator | 'in' | 'bitwise_and' | TextOperator;
/** Operators that compare two values of one type. */
export type OrderingOperator = 'eq' | 'ne' | 'ge' | 'le' | 'gt' | 'lt';
/** Operators over Bytes alone. */
export type TextOperator = 'contains' | 'matches' | 'wildcard' | 'strict wildcard';

interface ComparisonBase {
  readonly kind: 'comparison';
  readonly left: Operand;
  /** The operator as written. */
  readonly token: OperatorToken;
  /** Whether the left side has `[*]`, so that the comparison's type is Array<Bool>. */
  readonly elementwise: boolean;
  readonly span: Span;
}

/** A comparison; the kind of the right side follows from the operator. */
export type Comparison =
  | (ComparisonBase & {
      readonly operator: OrderingOperator;
      /** A literal, or (since 2026-10-01, `rules-language.md` 10) a field or call of the same type without `[*]`. */
      readonly right: Literal | Operand;
    })
  | (ComparisonBase & { readonly operator: 'in'; readonly right: SetLiteral | ListName })
  | (ComparisonBase & { readonly operator: 'bitwise_and'; readonly right: IntLiteral })
  | (ComparisonBase & { readonly operator: 'contains'; readonly right: BytesLiteral })
  | (ComparisonBase & { readonly operator: 'matches'; readonly right: RegexLiteral })
  | (ComparisonBase & { readonly operator: 'wildcard' | 'strict wildcard'; readonly right: WildcardLiteral });

/** The right side of any comparison. */
export type RightSide = Comparison['right'];

/** A field or a call with its indexes: `http.request.headers["x"][0]`, `lower(http.host)`. */
export interface Operand {
  readonly kind: 'operand';
  readonly source: Field | FunctionCall;
  readonly indexes: readonly Index[];
  /** Type after the indexes; with `[*]`, the type of one element. */
  readonly type: Type;
  /** How many of the indexes are `[*]`. */
  readonly each: number;
  readonly span: Span;
}

/** A field by name. */
export interface Field {
  readonly kind: 'field';
  readonly name: string;
  readonly type: Type;
  readonly span: Span;
}

/** A function call. */
export interface FunctionCall {
  readonly kind: 'call';
  readonly name: string;
  readonly arguments: readonly Argument[];
  /** Type of the call; when `elementwise`, Array<the function's return type>. */
  readonly type: Type;
  /** Whether the first argument has `[*]`, so that the function is applied per element. */
  readonly elementwise: boolean;
  readonly span: Span;
}

/** An argument of a call. */
export type Argument = Operand | Literal | ConditionArgument;

/** A condition as an argument. */
export interface ConditionArgument {
  readonly kind: 'condition';
  readonly condition: Condition;
  readonly span: Span;
}

/** One index, written without space before `[`. */
export type Index =
  | { readonly kind: 'element'; readonly index: number; readonly text: string; readonly span: Span }
  | { readonly kind: 'key'; readonly key: string; readonly literal: BytesLiteral; readonly span: Span }
  | { readonly kind: 'each'; readonly span: Span };

/** A literal value. */
export type Literal = BytesLiteral | IntLiteral | IpLiteral;

/** How a string was written: `"..."`, `r#"..."#`, `61:62`. */
export type BytesForm = 'quoted' | 'raw' | 'hex';

/** A string of bytes. */
export interface BytesLiteral {
  readonly kind: 'bytes';
  /** The bytes meant, escapes resolved. */
  readonly value: string;
  readonly form: BytesForm;
  /** The bytes written, quotes included. */
  readonly text: string;
  readonly span: Span;
}

/** An integer, signed 64 bit. */
export interface IntLiteral {
  readonly kind: 'int';
  readonly value: bigint;
  /** As written: `0x1f`, `010`, `-4`. */
  readonly text: string;
  readonly span: Span;
}

/** One IP address. */
export interface IpLiteral {
  readonly kind: 'ip';
  readonly value: IpAddress;
  readonly text: string;
  readonly span: Span;
}

/** `{...}`: the items in the order written; the left side's type decides what they are. */
export type SetLiteral =
  | { readonly kind: 'set'; readonly of: 'Int'; readonly items: readonly IntRangeItem[]; readonly span: Span }
  | { readonly kind: 'set'; readonly of: 'Ip'; readonly items: readonly IpRangeItem[]; readonly span: Span }
  | {
      readonly kind: 'set';
      readonly of: 'Bytes';
      readonly items: readonly BytesLiteral[];
      readonly span: Span;
    };

/** An item of a set. */
export type SetItem = IntRangeItem | IpRangeItem | BytesLiteral;

/** `5` or `5..9`, both ends included. */
export interface IntRangeItem {
  readonly kind: 'int-range';
  readonly first: bigint;
  readonly last: bigint;
  readonly text: string;
  readonly span: Span;
}

/** An address, a CIDR network or `first..last`, as the range it covers. */
export interface IpRangeItem {
  readonly kind: 'ip-range';
  readonly range: IpRange;
  readonly text: string;
  readonly span: Span;
}

/** `$name` of a list kept by the service; `name` is without the `$`. */
export interface ListName {
  readonly kind: 'list';
  readonly name: string;
  readonly span: Span;
}

/** A regular expression, in the syntax of the regex crate. */
export interface RegexLiteral {
  readonly kind: 'regex';
  /** The pattern as the regex engine gets it. */
  readonly pattern: string;
  readonly form: 'quoted' | 'raw';
  readonly text: string;
  readonly span: Span;
}

/** A wildcard pattern, `\*` and `\\` not yet resolved. */
export interface WildcardLiteral {
  readonly kind: 'wildcard-pattern';
  readonly pattern: string;
  readonly form: 'quoted' | 'raw';
  readonly text: string;
  readonly span: Span;
}

/** A whole expression: a filter is a condition, a value (rewrites, redirects, headers) is an operand. */
export type Tree =
  | { readonly mode: 'filter'; readonly root: Condition }
  | { readonly mode: 'value'; readonly root: Operand };
