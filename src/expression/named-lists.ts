import type { Operand, Span, Tree } from './language/ast.ts';
import { isManagedList, REDIRECT_FIELD } from './check/check-names.ts';
import { takeInventory } from './check/take-inventory.ts';
import { plainField } from './language/field-tests.ts';
import { parseExpression } from './parse/parse-expression.ts';
import type { Mode } from './parse/parse-text.ts';

/** A list of the account that an expression names, with the kind of items it must hold to fit the operand. */
export interface NamedList {
  /** Without `$`. */
  readonly name: string;
  readonly holds: 'ip' | 'hostname' | 'asn' | 'redirect';
  /** The name with its `$`. */
  readonly span: Span;
}

/** Returns the lists `$name` of an expression without the service's managed lists; empty when the text does not parse. */
export function namedLists(text: string, mode: Mode): readonly NamedList[] {
  return allLists(text, mode).filter(({ name }) => !isManagedList(name));
}

/** As `namedLists`, with the managed lists. */
export function allLists(text: string, mode: Mode): readonly NamedList[] {
  // Most texts name no list and need not be parsed.
  const parsed = text.includes('$') ? parseExpression(text, { mode }) : null;
  return parsed?.ok === true ? listsIn(parsed.tree) : [];
}

/** As `allLists`, of an expression that is parsed. */
export function listsIn(tree: Tree): readonly NamedList[] {
  return takeInventory('', tree).comparisons.flatMap(({ left, right }) => {
    const holds = right.kind === 'list' ? heldFor(left) : undefined;
    return right.kind === 'list' && holds !== undefined
      ? [{ name: right.name, holds, span: right.span }]
      : [];
  });
}

const KINDS: Readonly<Record<string, NamedList['holds']>> = { Ip: 'ip', Int: 'asn', Bytes: 'hostname' };

function heldFor(left: Operand): NamedList['holds'] | undefined {
  return plainField(left) === REDIRECT_FIELD ? 'redirect' : KINDS[left.type.kind];
}
