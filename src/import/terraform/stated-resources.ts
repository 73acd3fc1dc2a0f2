import { groupBy, textOf } from '../../data/index.ts';
import { isId } from '../../model/index.ts';
import type { StatedAddress } from './address.ts';
import type { TerraformInstance, TerraformState } from './read-state.ts';
import type { StatedItem, StatedList } from './list-resources.ts';
import { readStatedItem, readStatedList } from './list-resources.ts';
import { SETTINGS_TYPES, readStatedSettings } from './setting-resources.ts';
import type { StatedSettings } from './setting-resources.ts';
import type { StatedRuleset } from './stated-rulesets.ts';
import { readStatedRuleset } from './stated-rulesets.ts';

/** An instance that is not imported, and why. */
export interface LeftInSource {
  readonly address: StatedAddress;
  readonly why: string;
}

/** What a state says of resources that files can hold, and what else it has. */
export interface StatedResources {
  readonly rulesets: readonly StatedRuleset[];
  readonly lists: readonly StatedList[];
  readonly settings: readonly StatedSettings[];
  readonly left: readonly LeftInSource[];
  /** Other managed resources of the provider, by type: the id of each one's zone, "" where it has none. */
  readonly others: ReadonlyMap<string, readonly string[]>;
}

const RULESET = 'cloudflare_ruleset';
const LIST = 'cloudflare_list';
const LIST_ITEM = 'cloudflare_list_item';

/** The types of resources that an import takes over. */
export const IMPORTED_TYPES: readonly string[] = [RULESET, LIST, LIST_ITEM, ...SETTINGS_TYPES];

/** Reads all resources of a state that files can hold. What stands twice is left out everywhere: one of the two would go on writing it. */
export function readResources({ instances }: TerraformState): StatedResources {
  const left: LeftInSource[] = [];
  const read = <Value>(
    some: readonly TerraformInstance[],
    reader: (instance: TerraformInstance) => Value | string,
  ): readonly Value[] =>
    some.flatMap((instance) => {
      const value = reader(instance);
      if (typeof value === 'string') {
        left.push({ address: instance.address, why: value });
        return [];
      }
      return [value];
    });
  const of = (type: string): readonly TerraformInstance[] =>
    instances.filter(({ address }) => address.type === type);
  const rulesets = once(read(of(RULESET), readStatedRuleset), rulesetKeys, left);
  const items = read(of(LIST_ITEM), readStatedItem);
  const lists = once(
    read(of(LIST), (instance) => readStatedList(instance, items)),
    ({ id, accountId, name }) => [id, `${accountId}/${name}`],
    left,
  );
  left.push(...astray(items, lists));
  const settings = once(
    read(
      instances.filter(({ address }) => SETTINGS_TYPES.includes(address.type)),
      readStatedSettings,
    ),
    ({ zoneId, settings: some }) =>
      some.flatMap(({ name, fields }) => fields.map(({ path }) => `${zoneId}/${name}${path}`)),
    left,
  );
  const others = groupBy(
    instances.filter(
      ({ address: { type } }) => type.startsWith('cloudflare_') && !IMPORTED_TYPES.includes(type),
    ),
    ({ address: { type } }) => type,
  );
  return {
    rulesets,
    lists,
    settings,
    left,
    others: new Map([...others].map(([type, some]) => [type, some.map(zoneOf)])),
  };
}

function zoneOf({ values }: TerraformInstance): string {
  const id = textOf(values['zone_id']);
  return isId(id) ? id : '';
}

/** What a ruleset is known by: its id, and its place in its scope. */
function rulesetKeys({ id, scope, kind, phase, name }: StatedRuleset): readonly string[] {
  return [id, `${scope.kind}/${scope.id}/${phase}/${kind === 'custom' ? name : ''}`];
}

function once<Value extends { readonly address: StatedAddress }>(
  all: readonly Value[],
  keysOf: (value: Value) => readonly string[],
  left: LeftInSource[],
): readonly Value[] {
  const holders = new Map<string, Value[]>();
  for (const value of all) {
    for (const key of keysOf(value)) {
      holders.set(key, [...(holders.get(key) ?? []), value]);
    }
  }
  return all.filter((value) => {
    const twin = keysOf(value)
      .flatMap((key) => holders.get(key) ?? [])
      .find((other) => other !== value);
    if (twin !== undefined) {
      left.push({
        address: value.address,
        why: `${twin.address.instance} is the same in the service: take one of the two out of the state, and import again`,
      });
    }
    return twin === undefined;
  });
}

/** Items whose list is not in the state, or could not be read, have nothing to join. */
function astray(items: readonly StatedItem[], lists: readonly StatedList[]): readonly LeftInSource[] {
  const known = new Set(lists.map(({ id }) => id));
  return items
    .filter(({ listId }) => !known.has(listId))
    .map(({ address }) => ({
      address,
      why: 'its list is not imported, and a file declares a list with all of its items',
    }));
}
