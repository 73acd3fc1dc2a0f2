import type { Value } from '../expression/index.ts';
import { checkLists, evaluationOf } from '../simulate/index.ts';

/** Networks that somebody knows by a name, such as those of an office. */
export interface KnownNetwork {
  readonly name: string;
  readonly contains: (address: Value) => boolean;
}

/** Networks by name, as texts. */
export type NetworkTexts = Readonly<Record<string, readonly string[]>>;

/** Reads networks. */
export function knownNetworks(networks: NetworkTexts): readonly KnownNetwork[] {
  const { inList } = evaluationOf(networks).context;
  return Object.keys(networks).map((name) => ({
    name,
    contains: (address) => inList?.(name, address) === true,
  }));
}

/** Returns what is wrong with networks; undefined if nothing. */
export function networkProblem(networks: NetworkTexts): string | undefined {
  return (
    checkLists(networks, [])[0]?.message ??
    Object.entries(networks).flatMap(([name, items]) =>
      items.every((item) => /^[\d.]+(?:\/\d+)?$/u.test(item) || item.includes(':'))
        ? []
        : [`${name} is no address or network`],
    )[0]
  );
}
