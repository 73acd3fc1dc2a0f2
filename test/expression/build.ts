import type {
  Argument,
  BytesLiteral,
  Combination,
  Comparison,
  Condition,
  Index,
  IntLiteral,
  IntRangeItem,
  IpLiteral,
  IpRangeItem,
  Operand,
  RegexLiteral,
  SetLiteral,
  WildcardLiteral,
} from '../../src/expression/language/ast.ts';
import { argumentType } from '../../src/expression/language/condition-type.ts';
import { printIntRange, printIpRange, printQuoted } from '../../src/expression/print/print-literal.ts';
import { returnType } from '../../src/expression/language/signature.ts';
import { arrayOf, BOOL } from '../../src/expression/values/type.ts';
import { formatIpAddress } from '../../src/data/index.ts';
import type { IpAddress, IpRange } from '../../src/data/index.ts';
import { CASE_SCHEME } from './cases/scheme.ts';

/** Trees built by hand, as the parser builds them from the scheme of the cases, but without places. */
const span = { start: 0, end: 0 };

export function bytes(value: string): BytesLiteral {
  return { kind: 'bytes', value, form: 'quoted', text: printQuoted(value), span };
}

export function int(value: bigint): IntLiteral {
  return { kind: 'int', value, text: String(value), span };
}

export function ip(value: IpAddress): IpLiteral {
  return { kind: 'ip', value, text: formatIpAddress(value), span };
}

export function intRange(first: bigint, last: bigint): IntRangeItem {
  return { kind: 'int-range', first, last, text: printIntRange({ first, last }), span };
}

export function ipRange(range: IpRange): IpRangeItem {
  return { kind: 'ip-range', range, text: printIpRange({ range }), span };
}

export function regex(pattern: string): RegexLiteral {
  return { kind: 'regex', pattern, form: 'raw', text: `r"${pattern}"`, span };
}

export function wildcard(pattern: string): WildcardLiteral {
  return { kind: 'wildcard-pattern', pattern, form: 'quoted', text: printQuoted(pattern), span };
}

export function element(index: number): Index {
  return { kind: 'element', index, text: String(index), span };
}

export function key(name: string): Index {
  return { kind: 'key', key: name, literal: bytes(name), span };
}

export const each: Index = { kind: 'each', span };

export function field(name: string, ...indexes: readonly Index[]): Operand {
  const type = CASE_SCHEME.fields.get(name) ?? BOOL;
  return indexed({ kind: 'field', name, type, span }, indexes);
}

export function call(name: string, given: readonly Argument[], ...indexes: readonly Index[]): Operand {
  const signature = CASE_SCHEME.functions.get(name);
  const [first] = given;
  const plain = signature === undefined ? BOOL : returnType(signature, first && argumentType(first));
  const elementwise = first?.kind === 'operand' && first.each > 0;
  const type = elementwise ? arrayOf(plain) : plain;
  return indexed({ kind: 'call', name, arguments: given, type, elementwise, span }, indexes);
}

function indexed(source: Operand['source'], indexes: readonly Index[]): Operand {
  let { type } = source;
  for (const _ of indexes) {
    type = 'of' in type ? type.of : type;
  }
  return {
    kind: 'operand',
    source,
    indexes,
    type,
    each: indexes.filter(({ kind }) => kind === 'each').length,
    span,
  };
}

export function bare(operand: Operand): Condition {
  return { kind: 'bare', operand, elementwise: operand.type.kind !== 'Bool' || operand.each > 0, span };
}

type Test = Comparison extends infer One
  ? One extends Comparison
    ? Pick<One, 'operator' | 'right'>
    : never
  : never;

export function compare(left: Operand, test: Test): Comparison {
  const base = {
    kind: 'comparison',
    left,
    token: { text: test.operator, span },
    elementwise: left.each > 0,
    span,
  } as const;
  return { ...base, ...test };
}

export function not(item: Condition): Condition {
  return { kind: 'not', item, operator: { text: 'not', span }, span };
}

export function group(item: Condition): Condition {
  return { kind: 'group', item, span };
}

export function join(kind: Combination['kind'], items: readonly Condition[]): Condition {
  return { kind, items, span };
}

export function quantify(quantifier: 'any' | 'all', given: Operand | Condition): Condition {
  const argument =
    given.kind === 'operand' ? given : ({ kind: 'condition', condition: given, span } as const);
  return { kind: 'quantifier', quantifier, argument, span };
}

export function set(
  items: readonly IntRangeItem[] | readonly IpRangeItem[] | readonly BytesLiteral[],
  of: SetLiteral['of'],
): SetLiteral {
  return { kind: 'set', of, items, span } as SetLiteral;
}
