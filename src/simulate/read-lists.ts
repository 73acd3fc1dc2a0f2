import { listsFromJson, parseIpSetItem } from '../expression/index.ts';
import type { DesiredScope, ListItem } from '../model/index.ts';
import type { Evaluation } from './evaluation.ts';
import type { TestProblem } from './test-problem.ts';

/** Lists by name, as a test document has them. */
export type Lists = Readonly<Record<string, readonly (string | number)[]>>;

type Kind = 'Ip' | 'Int' | 'Bytes';

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  Ip: 'addresses',
  Int: 'AS numbers',
  Bytes: 'host names',
};

/**
 * Returns the items of lists that files declare, as far as expressions can look them up here: not those that somebody else fills, lists of redirects,
 * and host names with `*`.
 */
export function declaredItems(scopes: readonly Pick<DesiredScope, 'lists'>[]): Lists {
  return Object.fromEntries(
    scopes.flatMap(({ lists = [] }) =>
      lists.flatMap(({ name, items, presence }) => {
        const values = items === 'external' || presence === 'absent' ? null : valuesOf(items);
        return values === null ? [] : [[name, values] as const];
      }),
    ),
  );
}

function valuesOf(items: readonly ListItem[]): readonly (string | number)[] | null {
  const values = items.flatMap((item): readonly (string | number)[] =>
    'ip' in item ? [item.ip] : 'asn' in item ? [item.asn] : 'hostname' in item ? [item.hostname] : [],
  );
  const isKnown = values.length === items.length && !values.some((value) => String(value).startsWith('*'));
  return isKnown ? values : null;
}

/** Returns how to evaluate expressions with lists that `checkLists` has found valid. */
export function evaluationOf(lists: Lists): Evaluation {
  const byKind: Record<Kind, Record<string, readonly (string | number)[]>> = { Ip: {}, Int: {}, Bytes: {} };
  for (const [name, items] of Object.entries(lists)) {
    byKind[kindOf(items[0])][name] = items;
  }
  const read = listsFromJson(byKind);
  return {
    context: { inList: read.ok ? read.contains : () => false },
    lists: new Set(Object.keys(lists)),
  };
}

/** Reports invalid items of lists: a list holds addresses and networks, or AS numbers, or host names (api.md 9.8). */
export function checkLists(lists: Lists, path: TestProblem['path']): readonly TestProblem[] {
  return Object.entries(lists).flatMap(([name, items]) => {
    const kind = kindOf(items[0]);
    return items.flatMap((item, index) => {
      const hint = problemOf(item, kind);
      return hint === undefined
        ? []
        : [
            {
              code: 'test/list-item' as const,
              path: [...path, name, index],
              message: `${JSON.stringify(item)} cannot be in the list $${name}`,
              hint,
            },
          ];
    });
  });
}

/** Returns the kind of an item; that of its first item is the kind of a list. */
function kindOf(item: string | number | undefined): Kind {
  if (typeof item === 'number') {
    return 'Int';
  }
  // A text of digits, dots and slashes, or with a colon, can only be an address, even if a wrong one.
  return item !== undefined && (/^[\d.]+(?:\/\d+)?$/u.test(item) || item.includes(':')) ? 'Ip' : 'Bytes';
}

function problemOf(item: string | number, kind: Kind): string | undefined {
  if (String(item).includes('://')) {
    return 'which URLs a list of redirects matches is known to the service only: leave the list out';
  }
  const own = kindOf(item);
  if (own !== kind) {
    return `a list holds things of one kind, and this one begins with ${KIND_NAMES[kind]}`;
  }
  if (typeof item === 'number') {
    return item < 0 ? 'AS numbers are not negative' : undefined;
  }
  if (own === 'Ip') {
    return parseIpSetItem(item).ok ? undefined : 'write an address or a network, such as 203.0.113.0/24';
  }
  return /^[\w-]+(?:\.[\w-]+)*$/u.test(item)
    ? undefined
    : 'write a host name such as shop.example; names with `*` cannot be looked up here';
}
