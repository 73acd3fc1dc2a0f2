import { allLists } from '../../expression/named-lists.ts';
import { objectAt, textAt } from '../protocol/json.ts';
import { latest } from '../records/ruleset.ts';
import type { RulesetVersion, StoredRule } from '../records/ruleset.ts';
import type { Account } from '../records/directory.ts';
import type { Store } from '../store/store.ts';

/** Returns the lists that a rule names, in its expressions and as `from_list`. */
function namesInRule({ definition }: StoredRule): readonly string[] {
  const counting = textAt(definition.ratelimit ?? {}, 'counting_expression') ?? '';
  const redirect = objectAt(definition.action_parameters ?? {}, 'from_list');
  const name = redirect === undefined ? undefined : textAt(redirect, 'name');
  return [
    ...namesInExpression(definition.expression ?? ''),
    ...namesInExpression(counting),
    ...(name === undefined ? [] : [name]),
  ];
}

/** Counts how many rules and old filters of an account and its zones name each list. */
export function countUses(store: Store, account: Account): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const zones = store.zones.group(account.id);
  const owners = [`accounts/${account.id}`, ...zones.map((zone) => `zones/${zone.id}`)];
  const names = [
    ...owners
      .flatMap((owner) => store.rulesets.group(owner))
      .flatMap((ruleset) => namesInVersion(latest(ruleset))),
    // With one list, old filters are a view of the custom rules, which are counted already.
    ...zones
      .filter((zone) => zone.firewall?.rules === 'two_lists')
      .flatMap((zone) => store.filters.group(zone.id))
      .flatMap((filter) => once(namesInExpression(filter.expression))),
  ];
  for (const name of names) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

// Versions are immutable, so each is searched only once.
const known = new WeakMap<RulesetVersion, readonly string[]>();

function namesInVersion(version: RulesetVersion): readonly string[] {
  const names = known.get(version) ?? version.rules.flatMap((rule) => once(namesInRule(rule)));
  known.set(version, names);
  return names;
}

/** Returns the lists that an expression names, including the vendor's (`$cf.…`); none when the text does not parse. */
function namesInExpression(text: string): readonly string[] {
  return allLists(text, 'filter').map(({ name }) => name);
}

function once(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
