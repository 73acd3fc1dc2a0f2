import { addressKey } from '../../model/ruleset.ts';
import type { RulesetAddress, RulesetOutline } from '../../model/ruleset.ts';
import type { Declaration } from './declaration.ts';

/** Copies that let the texts of files go: a piece of a text keeps the whole text in memory, a copy has texts of its own. */
export interface OwnTexts {
  readonly address: (address: RulesetAddress) => RulesetAddress;
  readonly outline: (outline: RulesetOutline) => RulesetOutline;
  /** Of a declaration whose rulesets were copied before. */
  readonly declaration: <Ruleset>(declaration: Declaration<Ruleset>) => Declaration<Ruleset>;
}

/** Copies for one run: ten thousand zones name the same few rulesets, so each address is kept once. */
export function createOwnTexts(): OwnTexts {
  const addresses = new Map<string, RulesetAddress>();
  const addressOf = (address: RulesetAddress): RulesetAddress => {
    const key = addressKey(address);
    const known = addresses.get(key) ?? structuredClone(address);
    addresses.set(key, known);
    return known;
  };
  return {
    address: addressOf,
    // Member by member, for an object that was cloned takes a half more.
    outline: ({
      address,
      presence,
      ignore,
      ruleCount,
      namesCustom,
      namesRulesets,
      namesLists,
      digest,
      sensitive,
    }) => ({
      address: addressOf(address),
      presence,
      ruleCount,
      namesCustom,
      namesRulesets,
      namesLists,
      digest,
      sensitive: ownItems(sensitive),
      ...(ignore === undefined ? {} : { ignore: structuredClone(ignore) }),
    }),
    declaration: ({ path, packs, scope, labels, where, settings, heads, references, rulesets }) => ({
      path,
      packs,
      scope: { kind: scope.kind, name: structuredClone(scope.name) },
      labels: structuredClone(labels),
      where,
      settings: ownItems(settings),
      heads: heads.map((head) => ({
        address: addressOf(head.address),
        absent: head.absent,
        where: head.where,
      })),
      references: ownItems(references),
      rulesets,
    }),
  };
}

const NONE: readonly never[] = [];

function ownItems<Item>(items: readonly Item[]): readonly Item[] {
  return items.length === 0 ? NONE : structuredClone(items);
}
