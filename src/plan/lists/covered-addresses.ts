import { ADDRESS_BITS, parseIpAddress } from '../../data/index.ts';

interface Network {
  readonly family: 4 | 6;
  readonly bits: number;
  readonly value: bigint;
}

/** Whether an item of a list is within the others, so that it makes no difference. */
export type Covered = (key: string) => boolean;

/**
 * Returns whether an address or network lies within these, each given by its key in a list: within one of them, or within a network whose halves are
 * all there. O(1) for each question: as many look-ups as the networks have lengths. Keys of other kinds lie within nothing.
 */
export function coveredBy(keys: Iterable<string>): Covered {
  const known = new Set<string>();
  const lengths = { 4: new Set<number>(), 6: new Set<number>() };
  const add = (network: Network): void => {
    let { bits } = network;
    while (!known.has(nameOf(network, bits))) {
      known.add(nameOf(network, bits));
      lengths[network.family].add(bits);
      if (bits === 0 || !known.has(nameOf(otherHalf(network, bits), bits))) {
        return;
      }
      bits -= 1;
    }
  };
  for (const key of keys) {
    // A single address covers nothing else than itself, and a list has no item twice.
    const network = key.includes('/') ? networkOf(key) : undefined;
    if (network !== undefined) {
      add(network);
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

/** Returns an address of the network beside this one that makes a whole with it. */
function otherHalf({ family, bits, value }: Network, length: number): Network {
  return { family, bits, value: value ^ (1n << BigInt(ADDRESS_BITS[family] - length)) };
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
