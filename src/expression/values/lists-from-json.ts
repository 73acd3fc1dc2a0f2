import { encodeBytes } from './bytes.ts';
import { compileIntRanges, ipRangesContain, mergeRanges } from './ranges.ts';
import { parseIpSetItem } from './ip-set-item.ts';
import type { IpRange } from '../../data/index.ts';
import { isInt, isIp, parseInt64 } from './value.ts';
import type { Value } from './value.ts';

/** Whether a list, named without the `$`, holds a value; the lookup that an evaluation needs. */
type ListLookup = (name: string, value: Value) => boolean;

/** The lookup, or everything that is wrong with the lists. */
export type ListsResult =
  | { readonly ok: true; readonly contains: ListLookup }
  | { readonly ok: false; readonly problems: readonly string[] };

type MembershipTest = (value: Value) => boolean;

/**
 * Reads lists from JSON, by type and name: `{"Ip": {"office": ["192.0.2.0/24"]}, "Int": {"asns": [64496]}, "Bytes": {"hosts": ["a"]}}`.
 * Addresses are written as in sets. An unknown list holds nothing.
 */
export function listsFromJson(json: unknown): ListsResult {
  const problems: string[] = [];
  const lists = new Map<string, MembershipTest>();
  for (const [type, named] of entries(json, { path: 'lists', problems })) {
    const read = READERS.get(type);
    if (read === undefined) {
      problems.push(`lists.${type}: expected Int, Bytes or Ip`);
      continue;
    }
    for (const [name, items] of entries(named, { path: `lists.${type}`, problems })) {
      const path = `lists.${type}.${name}`;
      if (Array.isArray(items)) {
        lists.set(`${type} ${name}`, read(items, { path, problems }));
      } else {
        problems.push(`${path}: expected an array of items`);
      }
    }
  }
  if (problems.length > 0) {
    return { ok: false, problems };
  }
  return { ok: true, contains: (name, value) => lists.get(`${typeOf(value)} ${name}`)?.(value) ?? false };
}

interface ListProblems {
  readonly path: string;
  readonly problems: string[];
}

const READERS: ReadonlyMap<string, (items: readonly unknown[], place: ListProblems) => MembershipTest> =
  new Map([
    ['Int', readInts],
    ['Bytes', readTexts],
    ['Ip', readAddresses],
  ]);

function readInts(items: readonly unknown[], place: ListProblems): MembershipTest {
  const ranges = readEach(items, place, (item) => {
    const value = typeof item === 'number' || typeof item === 'string' ? parseInt64(String(item)) : undefined;
    return value === undefined ? undefined : { first: BigInt(value), last: BigInt(value) };
  });
  const contains = compileIntRanges(ranges);
  return (value) => isInt(value) && contains(value);
}

function readTexts(items: readonly unknown[], place: ListProblems): MembershipTest {
  const members = new Set<Value>(
    readEach(items, place, (item) => (typeof item === 'string' ? encodeBytes(item) : undefined)),
  );
  return (value) => members.has(value);
}

function readAddresses(items: readonly unknown[], place: ListProblems): MembershipTest {
  const ranges = mergeRanges(
    readEach(items, place, (item): IpRange | undefined => {
      const parsed = typeof item === 'string' ? parseIpSetItem(item) : undefined;
      return parsed?.ok === true ? parsed.range : undefined;
    }),
  );
  return (value) => isIp(value) && ipRangesContain(ranges, value);
}

function readEach<Item>(
  items: readonly unknown[],
  { path, problems }: ListProblems,
  read: (item: unknown) => Item | undefined,
): readonly Item[] {
  return items.flatMap((given, index) => {
    const item = read(given);
    if (item === undefined) {
      problems.push(`${path}[${index}]: not an item of such a list`);
      return [];
    }
    return [item];
  });
}

function entries(json: unknown, { path, problems }: ListProblems): readonly (readonly [string, unknown])[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    problems.push(`${path}: expected an object`);
    return [];
  }
  return Object.entries(json);
}

function typeOf(value: Value): string {
  if (isIp(value)) {
    return 'Ip';
  }
  return isInt(value) ? 'Int' : 'Bytes';
}
