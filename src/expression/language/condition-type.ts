import type { Argument, Condition } from './ast.ts';
import { arrayOf, BOOL, BYTES, INT, IP } from '../values/type.ts';
import type { Type } from '../values/type.ts';

const ELEMENTWISE: Type = arrayOf(BOOL);

/** Returns the type of a condition: Bool, or Array<Bool> when it is element-wise. A combination has the type of its first operand. */
export function conditionType(condition: Condition): Type {
  switch (condition.kind) {
    case 'or':
    case 'xor':
    case 'and': {
      const [first] = condition.items;
      return first === undefined ? BOOL : conditionType(first);
    }
    case 'not':
    case 'group':
      return conditionType(condition.item);
    case 'quantifier':
      return BOOL;
    case 'bare':
      return condition.operand.each > 0 ? ELEMENTWISE : condition.operand.type;
    case 'comparison':
      return condition.elementwise ? ELEMENTWISE : BOOL;
    default:
      return condition satisfies never;
  }
}

const LITERAL_TYPES = { bytes: BYTES, int: INT, ip: IP } as const;

/** Returns the type of an argument; with `[*]`, the type of one element. */
export function argumentType(argument: Argument): Type {
  if (argument.kind === 'operand') {
    return argument.type;
  }
  return argument.kind === 'condition' ? conditionType(argument.condition) : LITERAL_TYPES[argument.kind];
}
