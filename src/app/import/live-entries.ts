import type { WholeScope } from '../../live/index.ts';
import type { RulesetAddress, LiveEntry } from '../../model/index.ts';

/** Returns the live rulesets at the addresses that files declare. */
export function entriesOf(
  { rulesets }: WholeScope,
  declared: readonly { readonly address: RulesetAddress }[],
): readonly LiveEntry[] {
  return declared.map(({ address }) => {
    const ruleset = rulesets.find(
      (one) =>
        one.phase === address.phase &&
        (address.kind === 'custom'
          ? one.kind === 'custom' && one.name === address.name
          : one.kind !== 'custom'),
    );
    return { address, slot: ruleset === undefined ? { kind: 'absent' } : { kind: 'present', ruleset } };
  });
}
