import type { Index, Operand } from '../language/ast.ts';
import { CONSTANTS } from '../language/constant.ts';
import { intern } from '../values/intern.ts';
import { isList, isMap } from '../values/value.ts';
import type { Value, Values } from '../values/value.ts';
import { compileCall } from './call.ts';
import type { Compiler, Many, Single } from './compiler.ts';

/** Compiles an operand without `[*]`. */
export function compileSingle(compiler: Compiler, operand: Operand): Single {
  return operand.indexes.reduce<Single>(compileIndex, compileSource(compiler, operand));
}

/**
 * Compiles an operand with one or several `[*]`: elements of an array in order, values of a map by the bytes of its keys. Rows without the
 * indexed element are skipped, not nil (rules-language.md 2.4).
 */
export function compileMany(compiler: Compiler, operand: Operand): Many {
  const first = operand.indexes.findIndex((index) => index.kind === 'each');
  const base = operand.indexes.slice(0, first).reduce<Single>(compileIndex, compileSource(compiler, operand));
  const rest = operand.indexes.slice(first + 1);
  if (rest.length === 0) {
    return (values) => elementsOf(base(values));
  }
  return (values) =>
    rest.reduce<readonly Value[] | undefined>(
      (rows, index) =>
        rows?.flatMap((row) => (index.kind === 'each' ? (elementsOf(row) ?? []) : found(row, index))),
      elementsOf(base(values)),
    );
}

function compileSource(compiler: Compiler, { source }: Operand): Single {
  if (source.kind === 'call') {
    return compileCall(compiler, source);
  }
  const name = intern(source.name);
  const constant = CONSTANTS.get(name);
  return constant === undefined ? (values) => values.get(name) : (values) => values.get(name) ?? constant;
}

function compileIndex(base: Single, index: Index): Single {
  switch (index.kind) {
    case 'element': {
      const { index: position } = index;
      return (values) => {
        const list = base(values);
        return isList(list) ? list[position] : undefined;
      };
    }
    case 'key': {
      const key = intern(index.key);
      return (values) => {
        const map = base(values);
        return isMap(map) ? map.get(key) : undefined;
      };
    }
    case 'each':
      return base;
    default:
      return index satisfies never;
  }
}

function elementsOf(value: Value | undefined): readonly Value[] | undefined {
  if (isList(value)) {
    return value;
  }
  return isMap(value) ? [...value.values()] : undefined;
}

/** Returns the element of a row as a list of one, or an empty list when the row has no such element. */
function found(row: Value, index: Exclude<Index, { readonly kind: 'each' }>): readonly Value[] {
  const element = compileIndex(() => row, index)(NO_VALUES);
  return element === undefined ? [] : [element];
}

const NO_VALUES: Values = new Map();
