/** An IP address as a number in its own family: v4-mapped IPv6 addresses stay IPv6 (rules-language.md 1.3). */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** An inclusive range of addresses of one family, `first <= last`. */
export interface IpRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** The number of bits of an address of each family. */
export const ADDRESS_BITS: Readonly<Record<4 | 6, number>> = { 4: 32, 6: 128 };

const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const GROUP = /^[0-9a-fA-F]{1,4}$/u;

/**
 * Reads one address in strict text form (rules-language.md 1.3): four decimal octets without leading zeros, or IPv6
 * with at most one `::` that stands for at least one group and an optional dotted tail; no CIDR, zone or brackets.
 * Returns undefined when the text is no such address; the service's message for that is `INVALID_ADDRESS`.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.includes(':')) {
    const value = parseVersion6(text);
    return value === undefined ? undefined : { family: 6, value };
  }
  const value = parseVersion4(text);
  return value === undefined ? undefined : { family: 4, value: BigInt(value) };
}

/** The service's message for an address that it cannot read (rules-language.md 3, ParseNetwork). */
export const INVALID_ADDRESS = "couldn't parse address in network: invalid IP address syntax";

/**
 * Formats an address: dotted decimals, or RFC 5952 with `::` for the first longest run of at least two zero groups. v4-mapped addresses end
 * in dotted decimals.
 */
export function formatIpAddress(address: IpAddress): string {
  return address.family === 4 ? formatVersion4(address.value) : formatVersion6(address.value);
}

/** Reads an IPv4 address character by character for speed: most items of most sets are such addresses. */
function parseVersion4(text: string): number | undefined {
  let value = 0;
  let octet = 0;
  let digits = 0;
  let dots = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === DOT && digits > 0 && dots < 3) {
      value = value * 256 + octet;
      dots += 1;
      octet = 0;
      digits = 0;
    } else if (code >= ZERO && code <= NINE && (digits === 0 || octet > 0)) {
      octet = octet * 10 + (code - ZERO);
      digits += 1;
      if (octet > 255) {
        return undefined;
      }
    } else {
      return undefined;
    }
  }
  return dots === 3 && digits > 0 ? value * 256 + octet : undefined;
}

function parseVersion6(text: string): bigint | undefined {
  const gap = text.indexOf('::');
  if (gap === -1) {
    const groups = parseGroups(text);
    return groups?.length === 8 ? joinGroups(groups) : undefined;
  }
  const head = parseGroups(text.slice(0, gap));
  const tail = parseGroups(text.slice(gap + 2));
  // A dotted tail belongs at the very end, so none may stand before the gap.
  if (head === undefined || tail === undefined || text.slice(0, gap).includes('.')) {
    return undefined;
  }
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? undefined : joinGroups([...head, ...Array<number>(missing).fill(0), ...tail]);
}

function parseGroups(text: string): readonly number[] | undefined {
  if (text === '') {
    return [];
  }
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (GROUP.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const dotted = index === parts.length - 1 ? parseVersion4(part) : undefined;
    if (dotted === undefined) {
      return undefined;
    }
    groups.push(Math.floor(dotted / 0x1_00_00), dotted % 0x1_00_00);
  }
  return groups;
}

function joinGroups(groups: readonly number[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

function formatVersion4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
}

function formatVersion6(value: bigint): string {
  if (value >> 32n === 0xffffn) {
    return `::ffff:${formatVersion4(value & 0xffff_ffffn)}`;
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((value >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  const run = longestZeroRun(groups);
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  if (run.length < 2) {
    return text(groups);
  }
  return `${text(groups.slice(0, run.start))}::${text(groups.slice(run.start + run.length))}`;
}

function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== 0) {
      start = index + 1;
    } else if (index + 1 - start > best.length) {
      best = { start, length: index + 1 - start };
    }
  }
  return best;
}
