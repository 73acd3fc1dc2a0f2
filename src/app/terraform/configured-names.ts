import type { JsonValue } from '../../data/index.ts';
import { isJsonObject } from '../../data/index.ts';
import type { LiteralLocal, StatedAddress } from '../../import/index.ts';
import type { CommentsAbove } from './stated-comments.ts';
import { withoutSecrets } from './stated-comments.ts';

/** What a configuration calls the values of a zone. */
export interface ConfiguredNames {
  /** The members of the zone's items in `for_each`. */
  readonly items: ReadonlyMap<string, JsonValue>;
  /** The locals that its resources use and that are spelled out. */
  readonly locals: ReadonlyMap<string, LiteralLocal>;
}

/** Returns what a configuration calls values of the resources at these addresses. A name that several modules use says nothing. */
export function configuredNames(
  addresses: readonly StatedAddress[],
  { configuration, secrets }: CommentsAbove,
): ConfiguredNames {
  const items = new Map<string, JsonValue>();
  const locals = new Map<string, LiteralLocal>();
  for (const { type, name, instance } of addresses) {
    const [resource, another] = configuration?.get(`${type}.${name}`) ?? [];
    if (resource === undefined || another !== undefined) {
      continue;
    }
    const [, key = ''] = /\["([^"\\]*)"\]$/u.exec(instance) ?? [];
    const item = Object.hasOwn(resource.items ?? {}, key) ? resource.items?.[key] : undefined;
    for (const [member, value] of Object.entries(isJsonObject(item) ? item : {})) {
      items.set(member, value);
    }
    for (const [local, literal] of resource.literals) {
      locals.set(local, { ...literal, above: withoutSecrets(literal.above, secrets) });
    }
  }
  return { items, locals };
}
