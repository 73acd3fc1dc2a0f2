import { assertNever } from '../../data/index.ts';
import type { Diagnostic, ListKind, ListUse } from '../../model/index.ts';
import type { Declaration } from '../project/desired-scope.ts';
import type { DiagnosticCode } from '../source/finding.ts';
import { finding } from '../source/finding.ts';
import { didYouMean, oneOfThese } from '../schema/suggest.ts';

/** A list that the account has. */
export interface KnownList {
  readonly name: string;
  readonly kind: ListKind | { readonly unknown: string };
}

/** The verdict on a list that a rule names. */
export type ListVerdict =
  | { readonly kind: 'fits' }
  /** The list exists, but this version does not know its kind. */
  | { readonly kind: 'unchecked'; readonly message: string }
  | { readonly kind: 'wrong'; readonly problem: ListProblem };

/** Why a list that a rule names is wrong. */
export interface ListProblem {
  readonly code: Extract<DiagnosticCode, 'list/unknown' | 'list/wrong-kind'>;
  readonly message: string;
  readonly hint: string;
}

/**
 * Reports lists of the files that a rule looks something else up in. Only where the files declare one account: a list of the same name may be
 * another one in another account. Lists that no file declares are checked when live is read.
 */
export function checkDeclaredLists(
  uses: readonly ListUse[],
  declarations: readonly Pick<Declaration, 'scope' | 'lists'>[],
): readonly Diagnostic[] {
  const accounts = declarations.filter(({ scope }) => scope.kind === 'account');
  const [first] = accounts;
  if (first === undefined || accounts.some(({ scope }) => scope.name !== first.scope.name)) {
    return [];
  }
  const declared = new Map(
    accounts.flatMap(({ lists }) => lists.map(({ name, desired }) => [name, desired.kind] as const)),
  );
  const known = [...declared].map(([name, kind]) => ({ name, kind }));
  return uses.flatMap((use) => {
    const verdict = declared.has(use.name) ? checkList(use, known, `the account ${first.scope.name}`) : null;
    return verdict?.kind === 'wrong'
      ? [finding(verdict.problem.code, { ...verdict.problem, where: use.where })]
      : [];
  });
}

/** Checks that a list named by a rule is one of the account's, and holds the kind of items that the rule looks up. */
export function checkList(
  { name, holds }: Pick<ListUse, 'name' | 'holds'>,
  known: readonly KnownList[],
  account: string,
): ListVerdict {
  const found = known.find((list) => list.name === name);
  if (found?.kind === holds) {
    return { kind: 'fits' };
  }
  if (typeof found?.kind === 'object') {
    const message = `not checked whether the list ${name} holds ${items(holds)}: its kind ${found.kind.unknown} is not known here`;
    return { kind: 'unchecked', message };
  }
  const fitting = known.filter(({ kind }) => kind === holds).map((list) => list.name);
  const others = didYouMean(name, fitting) ?? ofThisKind(fitting, holds);
  const problem: ListProblem =
    found === undefined
      ? {
          code: 'list/unknown',
          message: `${account} has no list \`${name}\``,
          hint: `${others} ${MADE_FIRST}`,
        }
      : {
          code: 'list/wrong-kind',
          message: `the list \`${name}\` of ${account} holds ${items(found.kind)}, and ${items(holds)} are looked up in it`,
          hint: others,
        };
  return { kind: 'wrong', problem };
}

const MADE_FIRST =
  '(declare it under `lists` of the account, or make it at the service before the rule that names it)';

/** Most names that a hint lists. */
const MAX_NAMES = 8;

function ofThisKind(names: readonly string[], holds: ListKind): string {
  if (names.length === 0) {
    return `the account has no list of ${items(holds)}`;
  }
  return names.length > MAX_NAMES
    ? `the account has ${names.length} lists of ${items(holds)}`
    : `lists of ${items(holds)}: ${oneOfThese(names, 'and')}`;
}

function items(kind: ListKind): string {
  switch (kind) {
    case 'ip':
      return 'addresses';
    case 'hostname':
      return 'host names';
    case 'asn':
      return 'AS numbers';
    case 'redirect':
      return 'redirects';
    default:
      return assertNever(kind);
  }
}
