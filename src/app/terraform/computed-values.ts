import type { StatedAddress } from '../../import/index.ts';
import type { ComputedValue } from '../../model/index.ts';
import { blockOf, localKey, variableOfReference, withoutSecrets } from './configured-names.ts';
import type { CommentsAbove, ConfiguredLocal } from './configured-names.ts';

/** The variables that files have for names of the configuration. */
interface VariablesOfFiles {
  /** Those that this import wrote. */
  readonly variables: readonly ConfiguredLocal[];
  /** The texts of files that were there before: what an earlier import wrote refers to its variables. */
  readonly existing: Iterable<string>;
}

/**
 * Returns what the configuration names or computes in the blocks of these resources, and files have as the value that came of it. `variables` are the
 * locals that are variables of files, with the attributes in which they are; so are sensitive ones, and those that a module has for each instance.
 */
export function computedValues(
  addresses: readonly StatedAddress[],
  { configuration, secrets }: CommentsAbove,
  { variables, existing }: VariablesOfFiles,
): readonly ComputedValue[] {
  const found = new Map<string, ComputedValue>();
  const known = new Set(
    variables.flatMap(({ key, attributes }) => [...attributes].map((attribute) => `${attribute} ${key}`)),
  );
  const referred = new Set(
    [...existing].flatMap((text) => [...text.matchAll(/\$\{([a-z]\w*)\}/gu)].map(([, name = '']) => name)),
  );
  const blocks = new Map(addresses.map((address) => [address.resource, address]));
  for (const [address, one] of blocks) {
    const of = configuration === null ? undefined : blockOf(one, configuration);
    if (of?.kind !== 'found') {
      continue;
    }
    const { path, uses, folder, literals, untold } = of.block;
    for (const { attribute, text, line, names } of uses) {
      const isVariable =
        names.length > 0 &&
        names.every(
          (name) =>
            known.has(`${attribute} ${localKey(folder, name)}`) || referred.has(variableOfReference(name)),
        );
      const isSecret = (name: string): boolean => {
        const text = JSON.stringify(literals.get(name)?.value ?? null);
        return secrets.some((secret) => text.includes(secret));
      };
      if (!isVariable && !names.some((name) => untold.has(name) || isSecret(name))) {
        const isShown = withoutSecrets([text], secrets).length > 0;
        const value = { address, attribute, text: isShown ? text : 'a secret', file: path, line };
        found.set(JSON.stringify([address, attribute, value.text]), value);
      }
    }
  }
  return [...found.values()];
}
