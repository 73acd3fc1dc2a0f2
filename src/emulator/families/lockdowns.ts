import { isIP } from 'node:net';

import { checkServicesPermission } from '../call/old-interfaces.ts';
import { flag, integer, list, object, text } from '../decode/body-shape.ts';
import { byPart, byValue } from '../listing/list-page.ts';
import { isObject, listAt, numberAt, textAt, textsAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { StoredDocument } from '../records/document-record.ts';
import { paged, replaced } from './family.ts';
import type { Family } from './family.ts';

/** The maximum number of addresses, as users report it. */
const MAX_ADDRESSES = 250;

/** Zone lockdowns: URLs that only some addresses may reach (api.md 9.7). */
export const lockdowns = {
  path: '/firewall/lockdowns',
  holds: 'collection',
  noun: 'zone lockdown rule',
  access: checkServicesPermission,
  writes: { POST: replaced, PUT: replaced },
  deletes: true,
  quota: {
    max: { free: 0, pro: 3, business: 10, enterprise: 200 },
    binds: 'additions',
    exceeded: () => invalid('max number of zone lockdown rules exceeded'),
  },
  stamped: true,
  body: object({
    paused: flag(),
    description: text(),
    urls: list(text()),
    configurations: list(object({ target: text(), value: text() })),
    priority: integer(),
  }),
  standard: { paused: false },
  fill: ({ description, ...body }) => {
    checkLockdown(body);
    return description === undefined || description === '' ? body : { ...body, description };
  },
  list: paged({
    description: byPart(described),
    description_search: byPart(described),
    uri_search: byPart(({ value }) => textsAt(value, 'urls').join('\n')),
    ip: byPart((lockdown) => valuesOf(lockdown, 'ip')),
    ip_search: byPart((lockdown) => valuesOf(lockdown, 'ip')),
    ip_range_search: byPart((lockdown) => valuesOf(lockdown, 'ip_range')),
    priority: byValue(({ value }) => String(numberAt(value, 'priority') ?? '')),
    created_on: byValue(({ value }) => textAt(value, 'created_on') ?? ''),
    modified_on: byValue(({ value }) => textAt(value, 'modified_on') ?? ''),
  }),
} as const satisfies Family;

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

function described({ value }: StoredDocument): string {
  return textAt(value, 'description') ?? '';
}

function valuesOf({ value }: StoredDocument, target: string): string {
  return listAt(value, 'configurations')
    .filter(isObject)
    .filter((each) => each['target'] === target)
    .map((each) => textAt(each, 'value') ?? '')
    .join('\n');
}
