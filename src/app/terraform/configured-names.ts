import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonObject } from '../../data/index.ts';
import { addressSteps } from '../../import/index.ts';
import type { LiteralLocal, StatedAddress } from '../../import/index.ts';
import { plainVariable, shownText } from '../../model/index.ts';
import type { Configuration, ConfiguredResource } from './configuration-files.ts';

/** The configuration of what is imported, and the secrets that nothing of it may show. */
export interface CommentsAbove {
  readonly configuration: Configuration | null;
  readonly secrets: readonly string[];
}

/** Returns the lines of a comment that hold no secret, and nothing that looks like one. */
export function withoutSecrets(lines: readonly string[], secrets: readonly string[]): readonly string[] {
  return lines.filter((line) => shownText(line) === line && !secrets.some((secret) => line.includes(secret)));
}

/** What a configuration calls the values of a zone or account. */
export interface ConfiguredNames {
  /** The members of the zone's items in `for_each`. */
  readonly items: ReadonlyMap<string, JsonValue>;
  /** The locals and variables that its resources use and that are spelled out, by their module and name. */
  readonly locals: ReadonlyMap<string, ConfiguredLocal>;
}

/** A local or a variable of the configuration that is spelled out, and where resources use it. */
export interface ConfiguredLocal extends LiteralLocal {
  /** Its module and name (`localKey`). */
  readonly key: string;
  /** What it is called: `office`. */
  readonly name: string;
  /** The attributes that use it: `expression`. */
  readonly attributes: ReadonlySet<string>;
  /** The variable of the project that it is, where several files use it. */
  readonly common?: string | undefined;
}

/** The block of a resource, or why there is none to tell. */
export type BlockOfAddress =
  | {
      readonly kind: 'found';
      readonly block: ConfiguredResource;
      /** What `for_each` has for this instance, in its block and in the modules on the way to it. */
      readonly items: readonly JsonObject[];
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly blocks: readonly ConfiguredResource[] };

/** Finds the block of a resource: by the modules that its address leads through, or by its name if only one block has it. */
export function blockOf(address: StatedAddress, { resources, calls }: Configuration): BlockOfAddress {
  const steps = addressSteps(address);
  let folder: string | null = '.';
  const items: JsonObject[] = [];
  for (const { name, key } of steps.slice(0, -1)) {
    const [call, another] = calls.filter(
      (one) => one.name === name && (folder === null || one.folder === folder),
    );
    const isTold = call !== undefined && another === undefined;
    folder = isTold ? call.target : null;
    items.push(...(isTold ? itemOf(call.items, key) : []));
  }
  const all = resources.get(`${address.type}.${address.name}`) ?? [];
  const inFolder = all.filter((one) => one.folder === folder);
  const [block, another] = inFolder.length === 0 ? all : inFolder;
  if (block === undefined) {
    return { kind: 'none' };
  }
  return another === undefined
    ? { kind: 'found', block, items: [...items, ...itemOf(block.items, steps.at(-1)?.key)] }
    : { kind: 'several', blocks: all };
}

function itemOf(items: JsonObject | null, key: string | undefined): readonly JsonObject[] {
  const item = key !== undefined && items !== null && Object.hasOwn(items, key) ? items[key] : undefined;
  return isJsonObject(item) ? [item] : [];
}

/** Returns what a configuration calls values of the resources at these addresses. A block that cannot be told from others says nothing. */
export function configuredNames(
  addresses: readonly StatedAddress[],
  { configuration, secrets }: CommentsAbove,
): ConfiguredNames {
  const items = new Map<string, JsonValue>();
  const locals = new Map<string, ConfiguredLocal>();
  for (const address of addresses) {
    const found = configuration === null ? undefined : blockOf(address, configuration);
    if (found?.kind !== 'found') {
      continue;
    }
    for (const [member, value] of found.items.flatMap((item) => Object.entries(item))) {
      items.set(member, value);
    }
    for (const [key, local] of localsOf(found.block, secrets)) {
      const attributes = new Set([...(locals.get(key)?.attributes ?? []), ...local.attributes]);
      locals.set(key, { ...local, attributes });
    }
  }
  return { items, locals };
}

/** Returns the locals and variables that a block uses and that may stand in files, by their module and name. */
function localsOf(
  { literals, uses, folder }: ConfiguredResource,
  secrets: readonly string[],
): ReadonlyMap<string, ConfiguredLocal> {
  return new Map(
    [...literals].flatMap(([reference, literal]): readonly (readonly [string, ConfiguredLocal])[] => {
      const name = variableOfReference(reference);
      const text = JSON.stringify(literal.value);
      const isSecret =
        withoutSecrets([text], secrets).length === 0 ||
        (typeof literal.value === 'string' && plainVariable(name, literal.value) !== undefined);
      const attributes = uses.flatMap(({ names, attribute }) =>
        names.includes(reference) ? [attribute] : [],
      );
      const above = withoutSecrets(literal.above, secrets);
      const key = localKey(folder, reference);
      return isSecret ? [] : [[key, { ...literal, key, name, above, attributes: new Set(attributes) }]];
    }),
  );
}

/** Returns what a file calls a local or a variable of the configuration: `office` for `local.office`. */
export function variableOfReference(reference: string): string {
  return reference.split('.').slice(1).join('_');
}

/** Returns what a local or a variable of a module goes by. */
export function localKey(folder: string, reference: string): string {
  return `${folder}/${reference}`;
}
