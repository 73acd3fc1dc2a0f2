import { isIPv4, isIPv6 } from 'node:net';

import { checkPermission } from '../call/call.ts';
import { object, opaque, text } from '../decode/shape.ts';
import { byPart, byValue, narrowedList } from '../listing/narrowed-list.ts';
import type { Narrowings } from '../listing/narrowed-list.ts';
import { objectAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { ZoneObject } from '../records/zone-object.ts';
import { deletedId, objectList } from './family.ts';
import type { ObjectFamily, Owner } from './family.ts';

const MODES = ['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge'];

/** The targets of a rule, each with the form of its value. The lengths of ranges are assumed. */
const TARGETS: Readonly<Record<string, (value: string) => boolean>> = {
  ip: isIPv4,
  ip6: isIPv6,
  ip_range: (value) => {
    const [, address = '', bits] = /^(.+)\/(16|24|32|48|64)$/u.exec(value) ?? [];
    return isIPv4(address) ? Number(bits) <= 24 : isIPv6(address) && Number(bits) >= 32;
  },
  asn: (value) => /^AS\d{1,10}$/iu.test(value),
  country: (value) => /^[A-Z][A-Z0-9]$/iu.test(value),
};

const narrowings: Narrowings<ZoneObject> = {
  mode: byValue(({ body }) => textAt(body, 'mode') ?? ''),
  notes: byPart(({ body }) => textAt(body, 'notes') ?? ''),
  'configuration.target': byValue(({ body }) => textAt(configurationOf(body), 'target') ?? ''),
  'configuration.value': byPart(({ body }) => textAt(configurationOf(body), 'value') ?? ''),
};

/** IP access rules of zones, accounts and users (api.md 9.7). */
export const accessRules: ObjectFamily = {
  name: 'access_rules',
  noun: 'access rule',
  path: '/firewall/access_rules/rules',
  owners: ['zone', 'account', 'user'],
  changes: ['PATCH'],
  body: object({
    id: opaque,
    mode: text(),
    notes: text(),
    configuration: object({ target: text(), value: text() }),
    allowed_modes: opaque,
    scope: opaque,
    created_on: opaque,
    modified_on: opaque,
  }),
  checkAccess: (call, access) =>
    checkPermission(call, access, [
      call.scope.kind === 'zone' ? 'Firewall Services' : 'Account Firewall Access Rules',
    ]),
  list: (call, objects) => narrowedList(call, objects, { ...objectList, narrowings }),
  fill: (body, { owner, stamp, before, others }) => {
    const mode = textAt(body, 'mode') ?? '';
    const target = textAt(configurationOf(body), 'target') ?? '';
    const value = textAt(configurationOf(body), 'value') ?? '';
    const fits = Object.hasOwn(TARGETS, target) ? TARGETS[target] : undefined;
    if (!MODES.includes(mode)) {
      throw invalid(`mode must be one of ${MODES.join(', ')}`);
    }
    if (fits?.(value) !== true) {
      throw invalid(`'${value}' is not a valid value for the target '${target}'`);
    }
    const isSame = ({ body: other }: ZoneObject): boolean =>
      ['target', 'value'].every(
        (key) =>
          textAt(configurationOf(other), key)?.toLowerCase() ===
          textAt(configurationOf(body), key)?.toLowerCase(),
      );
    if (others.some(isSame)) {
      throw refuse(400, 'firewallaccessrules.api.duplicate_of_existing', { code: 10009 });
    }
    return {
      notes: textAt(body, 'notes') ?? '',
      allowed_modes: MODES,
      mode,
      configuration: { target, value },
      created_on: before?.['created_on'] ?? stamp,
      modified_on: stamp,
      scope: scopeOf(owner),
    };
  },
  deleted: deletedId,
};

/** Says whose rule it is; that a zone's rule says `zone` is assumed. */
function scopeOf(owner: Owner): JsonObject {
  const { id } = owner;
  switch (owner.kind) {
    case 'zone':
      return { id, type: 'zone' };
    case 'account':
      return { id, type: 'organization' };
    default:
      return { id, email: owner.user.email, type: 'user' };
  }
}

function configurationOf(body: JsonObject): JsonObject {
  return objectAt(body, 'configuration') ?? {};
}

function invalid(reason: string): Refusal {
  return refuse(400, `firewallaccessrules.api.validation_error: ${reason}`, { code: 10001 });
}
