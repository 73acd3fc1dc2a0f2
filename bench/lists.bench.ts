// A list of 100,000 addresses planned against as many live ones, of which a hundred differ: against parsing the same items as JSON and comparing two
// sets of their texts, without which nobody can know what differs.
import type { DesiredList, ListItem, LiveList } from '../src/model/index.ts';
import { planLists } from '../src/plan/index.ts';
import { leastCpu, printTable, round } from './table.ts';

const SIZES = [1000, 10_000, 100_000];
const DIFFERENT = 100;
const ROUNDS = 7;
const ID = 'a'.repeat(32);
const CAUSE = { file: 'lists.yaml', line: 1, column: 1 } as const;
const SCOPE = { kind: 'account', id: ID, name: 'Example', accountId: ID } as const;

function address(number: number): string {
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}

function items(first: number, count: number): readonly ListItem[] {
  return Array.from({ length: count }, (_, index) => ({
    ip: address(first + index),
    comment: `Number ${first + index}`,
  }));
}

function plan(wanted: readonly ListItem[], live: LiveList): number {
  const desired: DesiredList = {
    name: live.name,
    kind: 'ip',
    presence: 'present',
    items: wanted,
    cause: CAUSE,
  };
  const planned = planLists({
    scope: SCOPE,
    desired: [desired],
    heads: [live],
    read: new Map([[live.name, live]]),
    rules: [],
    known: new Map(),
    awaited: new Set(),
  });
  return planned.kind === 'planned' ? planned.lists.length : 0;
}

/** Parses the items of both sides and counts what only one of them has. */
function compareTexts(wanted: string, live: string): number {
  const [ours, theirs] = [wanted, live].map((text) => {
    const parsed: readonly { readonly ip: string }[] = JSON.parse(text);
    return new Set(parsed.map(({ ip }) => ip));
  });
  let count = 0;
  for (const ip of ours ?? []) {
    count += theirs?.has(ip) === true ? 0 : 1;
  }
  for (const ip of theirs ?? []) {
    count += ours?.has(ip) === true ? 0 : 1;
  }
  return count;
}

const rows = [];
for (const size of SIZES) {
  const [wanted, now] = [items(DIFFERENT, size), items(0, size)];
  const live: LiveList = {
    id: ID,
    name: 'office',
    kind: 'ip',
    description: '',
    modifiedOn: '2026-01-01T00:00:00Z',
    itemCount: size,
    referenceCount: 0,
    items: now.map((item, index) => ({ id: index.toString(16).padStart(32, '0'), item })),
  };
  const texts = [JSON.stringify(wanted), JSON.stringify(now)] as const;
  const times = await leastCpu(ROUNDS, {
    plan: () => plan(wanted, live),
    bare: () => compareTexts(...texts),
  });
  rows.push({
    items: size,
    'plan ms': round(times.plan),
    'parse and compare ms': round(times.bare),
    ratio: round(times.plan / times.bare),
  });
}
printTable(`Lists: ${DIFFERENT} items come and as many go (user CPU, least of ${ROUNDS})`, rows);
