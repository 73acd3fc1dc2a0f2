import { assertNever } from '../../model/assert-never.ts';
import type { ListKind, ListUse } from '../../model/list.ts';
import type { DiagnosticCode } from '../diagnostic-codes.ts';
import { didYouMean, oneOfThese } from '../schema/suggest.ts';

/** A list that exists. */
export interface KnownList {
  readonly name: string;
  readonly kind: ListKind;
}

/** Why a list that a rule names cannot be meant. */
export interface ListProblem {
  readonly code: Extract<DiagnosticCode, `list/${string}`>;
  readonly message: string;
  readonly hint: string;
}

/** Whether a list that a rule names is among those of the account, and holds what is looked up in it; null when all is well. */
export function checkList(
  { name, holds }: Pick<ListUse, 'name' | 'holds'>,
  known: readonly KnownList[],
  account: string,
): ListProblem | null {
  const found = known.find((list) => list.name === name);
  if (found?.kind === holds) {
    return null;
  }
  const fitting = known.filter(({ kind }) => kind === holds).map((list) => list.name);
  const others = didYouMean(name, fitting) ?? ofThisKind(fitting, holds);
  return found === undefined
    ? { code: 'list/unknown', message: `${account} has no list \`${name}\``, hint: `${others} ${MADE_FIRST}` }
    : {
        code: 'list/wrong-kind',
        message: `the list \`${name}\` of ${account} holds ${items(found.kind)}, and ${items(holds)} are looked up in it`,
        hint: others,
      };
}

const MADE_FIRST = '(files do not make lists: make a new one at the service, then the rule that names it)';

/** So many names are told; more would be a page. */
const MOST_NAMES = 8;

function ofThisKind(names: readonly string[], holds: ListKind): string {
  if (names.length === 0) {
    return `the account has no list of ${items(holds)}`;
  }
  return names.length > MOST_NAMES
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
