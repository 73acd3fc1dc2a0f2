import { addressKey } from '../../model/ruleset.ts';
import type { RulesetAddress, RulesetOutline } from '../../model/ruleset.ts';
import type { Declaration } from './declaration.ts';

/** Copies that let the texts of files be freed: a substring keeps its whole text in memory, a copy does not. */
export interface OwnTexts {
  readonly address: (address: RulesetAddress) => RulesetAddress;
  readonly outline: (outline: RulesetOutline) => RulesetOutline;
  /** Copies a declaration whose rulesets were copied before. */
  readonly declaration: <Ruleset>(declaration: Declaration<Ruleset>) => Declaration<Ruleset>;
}

/** Creates the copier for one run; equal addresses share one copy, since ten thousand zones name the same few rulesets. */
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
    // Built member by member, because an object that was cloned takes half as much memory again.
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
    declaration: ({
      path,
      packs,
      scope,
      labels,
      where,
      settings,
      ownership,
      heads,
      references,
      rulesets,
    }) => ({
      path,
      packs,
      scope: { kind: scope.kind, name: structuredClone(scope.name) },
      labels: structuredClone(labels),
      where,
      settings: ownItems(settings),
      ownership: structuredClone(ownership),
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
