import type { Operand, Span } from './language/ast.ts';
import { isManagedList, REDIRECT_FIELD } from './check/lists.ts';
import { takeInventory } from './check/take-inventory.ts';
import { plainField } from './language/tests.ts';
import { parseExpression } from './parse/parse.ts';
import type { Mode } from './parse/expression.ts';

/** A list of the account that an expression names, and what it has to hold to go with what is looked up in it. */
export interface NamedList {
  /** Without `$`. */
  readonly name: string;
  readonly holds: 'ip' | 'hostname' | 'asn' | 'redirect';
  /** The name with its `$`. */
  readonly span: Span;
}

/** The lists `$name` of an expression but those that the service keeps itself; none when the text does not parse. */
export function namedLists(text: string, mode: Mode): readonly NamedList[] {
  return allLists(text, mode).filter(({ name }) => !isManagedList(name));
}

/** As `namedLists`, with those that the service keeps itself. */
export function allLists(text: string, mode: Mode): readonly NamedList[] {
  // Most texts name none, and need not be read for it.
  const parsed = text.includes('$') ? parseExpression(text, { mode }) : null;
  if (parsed?.ok !== true) {
    return [];
  }
  return takeInventory(text, parsed.tree).comparisons.flatMap(({ left, right }) => {
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
