import type { Argument, Call } from '../language/ast.ts';
import { conditionType } from '../language/condition-type.ts';
import { FUNCTIONS } from '../functions/table.ts';
import { intern } from '../values/intern.ts';
import { toInt } from '../values/value.ts';
import type { Value } from '../values/value.ts';
import type { Compiler, Single } from './compiler.ts';

/**
 * Compiles a call. When its first argument has `[*]`, the function is applied to each element and missing results are dropped; the other
 * arguments are the same for all elements (rules-language.md 1.5 and 2.4).
 */
export function compileCall(compiler: Compiler, call: Call): Single {
  const literals = call.arguments.map(literalOf);
  const built = FUNCTIONS.get(call.name)?.({ literals, context: compiler.context });
  if (built === undefined || !built.ok) {
    const message = built?.reason ?? `the function ${call.name} cannot be evaluated here`;
    compiler.problems.push({ message, span: call.span });
    return () => undefined;
  }
  const { apply } = built;
  const [first, ...others] = call.arguments;
  const rest = others.map((argument) => compileArgument(compiler, argument));
  if (call.elementwise && first?.kind === 'operand') {
    const elements = compiler.parts.many(compiler, first);
    return (values) => {
      const fixed = rest.map((argument) => argument(values));
      return elements(values)?.flatMap((element) => {
        const result = apply([element, ...fixed]);
        return result === undefined ? [] : [result];
      });
    };
  }
  const all = first === undefined ? [] : [compileArgument(compiler, first), ...rest];
  return (values) => apply(all.map((argument) => argument(values)));
}

function compileArgument(compiler: Compiler, argument: Argument): Single {
  switch (argument.kind) {
    case 'operand':
      return compiler.parts.single(compiler, argument);
    case 'condition':
      return conditionType(argument.condition).kind === 'Array'
        ? compiler.parts.conditionArray(compiler, argument.condition)
        : compiler.parts.condition(compiler, argument.condition);
    case 'bytes':
    case 'int':
    case 'ip': {
      const value = literalOf(argument);
      return () => value;
    }
    default:
      return argument satisfies never;
  }
}

function literalOf(argument: Argument): Value | undefined {
  switch (argument.kind) {
    case 'bytes':
      return intern(argument.value);
    case 'ip':
      return argument.value;
    case 'int':
      return toInt(argument.value);
    case 'operand':
    case 'condition':
      return undefined;
    default:
      return argument satisfies never;
  }
}
