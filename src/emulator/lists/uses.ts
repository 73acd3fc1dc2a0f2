import { parseExpression } from '../../expression/index.ts';
import { isObject, type JsonObject, objectAt, textAt } from '../json.ts';
import { latest, type RulesetVersion, type StoredRule } from '../rulesets/ruleset.ts';
import type { Account } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { ListKind } from './list.ts';

/** A list that an expression or a redirect names, and what it must hold there. */
export interface ListUse {
  readonly name: string;
  readonly kind: ListKind;
}

const KIND_OF_TYPE: Readonly<Record<string, ListKind>> = { Ip: 'ip', Int: 'asn', Bytes: 'hostname' };

/** The field of bulk redirects: its list holds redirects (api.md 5.6). */
const REDIRECTED = 'http.request.full_uri';

/** The lists `$name` of an expression, the service's own (`$cf.…`) included; none when it does not parse. */
export function usesInExpression(text: string): readonly ListUse[] {
  if (!text.includes('$')) {
    return [];
  }
  const parsed = parseExpression(text, { mode: 'filter' });
  return parsed.ok ? [...usesIn(parsed.tree)] : [];
}

/** The lists that a rule names, in its expressions and as `from_list`. */
function usesInRule({ definition }: StoredRule): readonly ListUse[] {
  const counting = textAt(definition.ratelimit ?? {}, 'counting_expression') ?? '';
  const redirect = objectAt(definition.action_parameters ?? {}, 'from_list');
  const name = redirect === undefined ? undefined : textAt(redirect, 'name');
  return [
    ...usesInExpression(definition.expression ?? ''),
    ...usesInExpression(counting),
    ...(name === undefined ? [] : [{ name, kind: 'redirect' as const }]),
  ];
}

/** How many rules and old filters of an account and its zones name each list. */
export function countUses(store: Store, account: Account): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const zones = store.zones.group(account.id);
  const owners = [`accounts/${account.id}`, ...zones.map((zone) => `zones/${zone.id}`)];
  const names = [
    ...owners
      .flatMap((owner) => store.rulesets.group(owner))
      .flatMap((ruleset) => namesInVersion(latest(ruleset))),
    // Where old rules are a view of custom rules, their filters are counted with these.
    ...zones
      .filter((zone) => zone.firewall?.rules === 'two_lists')
      .flatMap((zone) => store.filters.group(zone.id))
      .flatMap((filter) => namesOf(usesInExpression(filter.expression))),
  ];
  for (const name of names) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

// Versions never change, so that each is looked through once.
const known = new WeakMap<RulesetVersion, readonly string[]>();

function namesInVersion(version: RulesetVersion): readonly string[] {
  const names = known.get(version) ?? version.rules.flatMap((rule) => namesOf(usesInRule(rule)));
  known.set(version, names);
  return names;
}

function namesOf(uses: readonly ListUse[]): readonly string[] {
  return [...new Set(uses.map(({ name }) => name))];
}

/** Finds the comparisons with lists anywhere in a tree, whatever nests in what. */
function* usesIn(node: unknown): Iterable<ListUse> {
  if (typeof node !== 'object' || node === null) {
    return;
  }
  if (isObject(node)) {
    const use = useOf(node);
    if (use !== undefined) {
      yield use;
    }
  }
  for (const member of Object.values(node)) {
    yield* usesIn(member);
  }
}

function useOf(node: JsonObject): ListUse | undefined {
  const list = objectAt(node, 'right');
  const left = objectAt(node, 'left') ?? {};
  const type = textAt(objectAt(left, 'type') ?? {}, 'kind') ?? '';
  const field = textAt(objectAt(left, 'source') ?? {}, 'name');
  const kind = field === REDIRECTED ? 'redirect' : KIND_OF_TYPE[type];
  const name = list?.['kind'] === 'list' ? textAt(list, 'name') : undefined;
  return name === undefined || kind === undefined ? undefined : { name, kind };
}
