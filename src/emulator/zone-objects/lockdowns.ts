import { isIP } from 'node:net';
import { flag, integer, list, object, opaque, text } from '../decode/shape.ts';
import { isObject, listAt, numberAt, textAt, textsAt } from '../protocol/json.ts';
import type { WireObject } from '../protocol/json.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { ZoneObject } from '../records/old-records.ts';
import { byValue, byPart, narrowedList } from '../listing/pages.ts';
import type { Narrowings } from '../listing/pages.ts';
import { checkServicesPermission, deletedId, objectList } from './family.ts';
import type { ObjectFamily } from './family.ts';

/** The maximum number of addresses, as users report it. */
const MAX_ADDRESSES = 250;

/** The query parameters that narrow the list (api.md 9.7). */
const narrowings: Narrowings<ZoneObject> = {
  description: byPart(description),
  description_search: byPart(description),
  uri_search: byPart(({ body }) => textsAt(body, 'urls').join('\n')),
  ip: byPart((lockdown) => valuesOf(lockdown, 'ip')),
  ip_search: byPart((lockdown) => valuesOf(lockdown, 'ip')),
  ip_range_search: byPart((lockdown) => valuesOf(lockdown, 'ip_range')),
  priority: byValue(({ body }) => String(numberAt(body, 'priority') ?? '')),
  created_on: byValue(({ body }) => textAt(body, 'created_on') ?? ''),
  modified_on: byValue(({ body }) => textAt(body, 'modified_on') ?? ''),
};

/** Zone lockdowns: URLs that only some addresses may reach (api.md 9.7). */
export const lockdowns: ObjectFamily = {
  name: 'lockdowns',
  noun: 'zone lockdown rule',
  path: '/firewall/lockdowns',
  changes: ['PUT'],
  quota: {
    of: 'lockdowns',
    binds: 'additions',
    exceeded: () => invalid('max number of zone lockdown rules exceeded'),
  },
  body: object({
    id: opaque,
    created_on: opaque,
    modified_on: opaque,
    paused: flag(),
    description: text(),
    urls: list(text()),
    configurations: list(object({ target: text(), value: text() })),
    priority: integer(),
  }),
  checkAccess: checkServicesPermission,
  list: (call, objects) => narrowedList(call, objects, { ...objectList, narrowings }),
  fill: (body, { stamp, before }) => {
    checkLockdown(body);
    const said = textAt(body, 'description') ?? '';
    return {
      created_on: before?.['created_on'] ?? stamp,
      modified_on: stamp,
      paused: body['paused'] === true,
      ...(said === '' ? {} : { description: said }),
      urls: textsAt(body, 'urls'),
      configurations: listAt(body, 'configurations'),
      ...(body['priority'] === undefined ? {} : { priority: body['priority'] }),
    };
  },
  deleted: deletedId,
};

function checkLockdown(body: WireObject): void {
  const configurations = listAt(body, 'configurations').filter(isObject);
  const urls = textsAt(body, 'urls');
  if (urls.length === 0 || urls.includes('')) {
    throw invalid('at least one url is required and none may be blank');
  }
  if (configurations.length === 0) {
    throw invalid('at least one configuration is required');
  }
  if (configurations.length > MAX_ADDRESSES) {
    throw invalid(`max ${MAX_ADDRESSES} IP/CIDRs exceeded`);
  }
  const strange = configurations.find((each) => !isAddress(each));
  if (strange !== undefined) {
    throw invalid(
      `invalid ${textAt(strange, 'target') ?? 'target'} ${textAt(strange, 'value') ?? ''}`.trimEnd(),
    );
  }
}

function invalid(reason: string): Refusal {
  return refuse(400, `zonelockdown.api.validation=${reason}`);
}

function isAddress(configuration: WireObject): boolean {
  const value = textAt(configuration, 'value') ?? '';
  const [address = '', bits] = value.split('/');
  const family = isIP(address);
  switch (textAt(configuration, 'target')) {
    case 'ip':
      return family !== 0 && bits === undefined;
    case 'ip_range':
      return family !== 0 && /^\d{1,3}$/u.test(bits ?? '') && Number(bits) <= (family === 4 ? 32 : 128);
    default:
      return false;
  }
}

function description({ body }: ZoneObject): string {
  return textAt(body, 'description') ?? '';
}

function valuesOf({ body }: ZoneObject, target: string): string {
  return listAt(body, 'configurations')
    .filter(isObject)
    .filter((each) => each['target'] === target)
    .map((each) => textAt(each, 'value') ?? '')
    .join('\n');
}
