import { ADDRESS_BITS, parseIpAddress } from '../../data/index.ts';

interface Network {
  readonly family: 4 | 6;
  readonly bits: number;
  readonly value: bigint;
}

/** Whether an item of a list is within one of the others, so that it makes no difference. */
export type Covered = (key: string) => boolean;

/**
 * Returns whether an address or network lies within one of these, each given by its key in a list. O(1) for each question: as many look-ups as the
 * networks have lengths. Keys of other kinds lie within nothing.
 */
export function coveredBy(keys: Iterable<string>): Covered {
  const known = new Set<string>();
  const lengths = { 4: new Set<number>(), 6: new Set<number>() };
  for (const key of keys) {
    // A single address covers nothing else than itself, and a list has no item twice.
    const network = key.includes('/') ? networkOf(key) : undefined;
    if (network !== undefined) {
      known.add(nameOf(network, network.bits));
      lengths[network.family].add(network.bits);
    }
  }
  return (key) => {
    const network = known.size === 0 ? undefined : networkOf(key);
    return (
      network !== undefined &&
      [...lengths[network.family]].some((bits) => bits <= network.bits && known.has(nameOf(network, bits)))
    );
  };
}

function nameOf({ family, value }: Network, bits: number): string {
  return `${family} ${bits} ${value >> BigInt(ADDRESS_BITS[family] - bits)}`;
}

function networkOf(key: string): Network | undefined {
  const [text = '', length] = key.split('/');
  const address = parseIpAddress(text);
  return address === undefined
    ? undefined
    : { ...address, bits: length === undefined ? ADDRESS_BITS[address.family] : Number(length) };
}
