import type { JsonObject, JsonValue } from '../../data/index.ts';
import {
  groupBy,
  isJsonArray,
  isJsonObject,
  isNestedDeeper,
  listOf,
  objectOf,
  objectsIn,
  parsedJson,
  textOf,
} from '../../data/index.ts';
import type { StatedAddress } from './address.ts';
import { addressOf, readAddress } from './address.ts';

/** Keys that lead from the values of an instance to something that Terraform marks as sensitive. */
export type MarkedPath = readonly (string | number)[];

/** One instance of a managed resource, as a state has it. */
export interface TerraformInstance {
  readonly address: StatedAddress;
  /** Attributes by name, in the shapes of whichever version of the provider wrote them. */
  readonly values: JsonObject;
  /** Of the schema by which the provider wrote the values; 0 where the state does not say. */
  readonly schemaVersion: number;
  readonly sensitive: readonly MarkedPath[];
}

/** What Terraform or OpenTofu says it manages. */
export interface TerraformState {
  readonly tool: 'terraform' | 'opentofu';
  /** The version that wrote the state; "" where it does not say. */
  readonly version: string;
  readonly instances: readonly TerraformInstance[];
  /** Addresses that a plan, where the file is one, has changes for. */
  readonly pending: readonly string[];
  readonly unusable: readonly UnusableEntry[];
}

/** An entry of a state that cannot be used. */
export interface UnusableEntry {
  readonly why: string;
  /** The address of the resource block that it is an instance of; null where the entry does not tell. */
  readonly resource: string | null;
}

/** A state, or why a file has none. */
export type StateReading =
  | ({ readonly kind: 'state' } & TerraformState)
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string };

/** Bounds for what is read from elsewhere: states of thousands of zones are far below. */
export const STATE_LIMITS = { characters: 256 * 1024 * 1024, depth: 64, instances: 200_000 } as const;

const HOW = 'give what terraform state pull prints, or terraform show -json (of a state, or of a saved plan)';

/**
 * Reads a state of version 4, or what `show -json` prints of a state or of a plan, from Terraform or OpenTofu. Of a plan, what counts is the state
 * that it was made from: nothing that the plan would change has happened yet.
 */
export function readState(text: string): StateReading {
  if (text.length > STATE_LIMITS.characters) {
    return refused('is larger than 256 MiB', 'split the state, or give the output of show -json of a part');
  }
  if (text.trim() === '') {
    return refused(
      'is empty',
      'see whether the command that was to write it failed, such as terraform state pull',
    );
  }
  const value = parsedJson(text);
  if (!isJsonObject(value)) {
    return refused(value === undefined ? notJson(text) : NO_STATE, HOW);
  }
  if (isNestedDeeper(value, STATE_LIMITS.depth)) {
    return refused(`is nested more than ${STATE_LIMITS.depth} levels deep, which no state is`, HOW);
  }
  if (value['encrypted_data'] !== undefined) {
    return refused('is encrypted', 'give what tofu state pull prints, which is not');
  }
  if (isJsonObject(value['values']) || isJsonArray(value['resource_changes'])) {
    return fromShow(value);
  }
  if (value['format_version'] !== undefined && value['resources'] === undefined) {
    return { ...emptyOf(value, text), kind: 'state' };
  }
  if (!isJsonArray(value['resources'])) {
    return isJsonArray(value['modules'])
      ? refused(
          'is a state of version 3 or older',
          'run terraform refresh with Terraform 0.12 or newer first',
        )
      : refused(NO_STATE, HOW);
  }
  return value['version'] === 4
    ? fromState(value)
    : refused(
        `is a state of version ${JSON.stringify(value['version'] ?? null)}, and only version 4 is known`,
        HOW,
      );
}

const NO_STATE = 'is JSON, but no state of Terraform or OpenTofu';

function refused(message: string, hint: string): StateReading {
  return { kind: 'refused', message, hint };
}

function notJson(text: string): string {
  if (text.startsWith('PK')) {
    return "is a saved plan in Terraform's own form";
  }
  return /^\s*(?:resource|terraform|provider|module|variable|locals|data|output)\b/mu.test(text)
    ? 'is not JSON but configuration, which does not say what there is'
    : 'is not JSON';
}

function emptyOf(value: JsonObject, text: string): TerraformState {
  return {
    tool: text.includes('registry.opentofu.org') ? 'opentofu' : 'terraform',
    version: textOf(value['terraform_version']),
    instances: [],
    pending: [],
    unusable: [],
  };
}

/** States and plans of OpenTofu have the same form, and the same key for the version; where a provider comes from tells them apart. */
function toolOf(providers: readonly string[]): TerraformState['tool'] {
  return providers.some((name) => name.includes('registry.opentofu.org')) ? 'opentofu' : 'terraform';
}

type StateEntry = TerraformInstance | UnusableEntry;

function isUsable(entry: StateEntry): entry is TerraformInstance {
  return 'address' in entry;
}

function unusable(why: string, resource: string | null = null): UnusableEntry {
  return { why, resource };
}

function collected(
  head: Pick<TerraformState, 'tool' | 'version' | 'pending'>,
  entries: readonly StateEntry[],
): StateReading {
  if (entries.length > STATE_LIMITS.instances) {
    return refused(`has more than ${STATE_LIMITS.instances} instances`, 'give a part of it');
  }
  const instances = entries.filter(isUsable);
  const groups = groupBy(instances, ({ address }) => address.instance);
  const twice = [...groups].flatMap(([instance, [first, ...others]]) =>
    first !== undefined && others.length > 0
      ? [
          unusable(
            `${instance}: it is in the state ${others.length + 1} times, which Terraform never writes`,
            first.address.resource,
          ),
        ]
      : [],
  );
  return {
    kind: 'state',
    ...head,
    instances: instances.filter(({ address }) => groups.get(address.instance)?.length === 1),
    unusable: [...entries.flatMap((entry) => (isUsable(entry) ? [] : [entry])), ...twice],
  };
}

function fromState(state: JsonObject): StateReading {
  const resources = objectsIn(state['resources']).filter(({ mode }) => mode === 'managed');
  const entries: readonly StateEntry[] = [
    ...listOf(state['resources']).flatMap((resource, index) =>
      isJsonObject(resource) ? [] : [unusable(`entry ${index + 1} of its resources is no object`)],
    ),
    ...resources.flatMap(instancesOf),
  ];
  return collected(
    {
      tool: toolOf(resources.map(({ provider }) => textOf(provider))),
      version: textOf(state['terraform_version']),
      pending: [],
    },
    entries,
  );
}

function instancesOf(resource: JsonObject): readonly StateEntry[] {
  const { instances } = resource;
  const [type, called] = [textOf(resource['type']), textOf(resource['name'])];
  const block = addressOf(textOf(resource['module']), { type, name: called, key: undefined })?.resource;
  const name = JSON.stringify(`${textOf(resource['type'])}.${textOf(resource['name'])}`.slice(0, MOST_SHOWN));
  return isJsonArray(instances)
    ? instances.map((instance) =>
        isJsonObject(instance)
          ? ofState(resource, instance)
          : unusable(`an instance of ${name} is no object`, block),
      )
    : [unusable(`the instances of ${name} are no list`, block)];
}

/** The most characters that a message shows of what a state has in the place of a name. */
const MOST_SHOWN = 80;

function ofState(resource: JsonObject, instance: JsonObject): StateEntry {
  const { index_key: key, attributes, deposed } = instance;
  const [type, name] = [textOf(resource['type']), textOf(resource['name'])];
  const known = typeof key === 'string' || typeof key === 'number' ? key : undefined;
  const address = addressOf(textOf(resource['module']), { type, name, key: known });
  if (address === undefined) {
    return unusable(
      `an entry of the type ${JSON.stringify(type.slice(0, MOST_SHOWN))} has no address that Terraform could have written`,
      addressOf(textOf(resource['module']), { type, name, key: undefined })?.resource,
    );
  }
  if (typeof deposed === 'string' && deposed !== '') {
    return deposedObject(address);
  }
  return {
    address,
    values: objectOf(attributes),
    schemaVersion: versionOf(instance),
    sensitive: listOf(instance['sensitive_attributes']).map(stepsOf),
  };
}

function deposedObject({ instance, resource }: StatedAddress): UnusableEntry {
  return unusable(
    `${instance}: a deposed object, which Terraform is about to destroy; let it, with terraform apply`,
    resource,
  );
}

function versionOf({ schema_version: version }: JsonObject): number {
  return typeof version === 'number' ? version : 0;
}

/** Reads a path of `sensitive_attributes`. Where a step is no key or index, as in sets, the path ends: all that is below counts. */
function stepsOf(path: JsonValue): MarkedPath {
  const steps: (string | number)[] = [];
  for (const { type, value } of objectsIn(path)) {
    const step = type === 'index' ? objectOf(value)['value'] : value;
    if (typeof step !== 'string' && typeof step !== 'number') {
      break;
    }
    steps.push(step);
  }
  return steps;
}

function fromShow(shown: JsonObject): StateReading {
  const isPlan = isJsonArray(shown['resource_changes']);
  const { values } = isPlan ? objectOf(shown['prior_state']) : shown;
  const resources = resourcesIn(objectOf(values)['root_module']);
  const changes = objectsIn(shown['resource_changes']);
  return collected(
    {
      tool: toolOf([...resources, ...changes].map(({ provider_name: name }) => textOf(name))),
      version: textOf(shown['terraform_version']),
      pending: changes.flatMap(({ address, mode, change }) =>
        mode === 'managed' && isChange(objectOf(change)['actions']) ? [textOf(address)] : [],
      ),
    },
    [
      ...oddIn(objectOf(values)['root_module']),
      ...resources.filter(({ mode }) => mode === 'managed').map(ofShown),
    ],
  );
}

function isChange(actions: JsonValue | undefined): boolean {
  return listOf(actions).some((action) => action !== 'no-op' && action !== 'read');
}

function resourcesIn(module: JsonValue | undefined): readonly JsonObject[] {
  const { resources, child_modules: children } = objectOf(module);
  return [...objectsIn(resources), ...objectsIn(children).flatMap(resourcesIn)];
}

/** Names the entries of modules that are no objects. */
function oddIn(module: JsonValue | undefined): readonly UnusableEntry[] {
  const { resources, child_modules: children } = objectOf(module);
  const odd = [...listOf(resources), ...listOf(children)].filter((entry) => !isJsonObject(entry));
  return [
    ...odd.map(() => unusable('an entry of a module is no object')),
    ...objectsIn(children).flatMap(oddIn),
  ];
}

function ofShown(resource: JsonObject): StateEntry {
  const text = textOf(resource['address']);
  const address = readAddress(text);
  if (address === undefined || address.type !== resource['type']) {
    return unusable(
      `${JSON.stringify(text.slice(0, MOST_SHOWN))} is no address that Terraform could have written`,
    );
  }
  if (typeof resource['deposed_key'] === 'string') {
    return deposedObject(address);
  }
  return {
    address,
    values: objectOf(resource['values']),
    schemaVersion: versionOf(resource),
    sensitive: markedIn(resource['sensitive_values'], []),
  };
}

/** Returns the paths that lead to `true` in `sensitive_values`. */
function markedIn(value: JsonValue | undefined, path: MarkedPath): readonly MarkedPath[] {
  if (value === true) {
    return [path];
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => markedIn(item, [...path, index]));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, member]) => markedIn(member, [...path, key]))
    : [];
}
