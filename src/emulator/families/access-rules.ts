import { isIPv4, isIPv6 } from 'node:net';

import { checkPermission } from '../call/call.ts';
import type { FamilyScope } from '../call/call.ts';
import { object, text } from '../decode/body-shape.ts';
import { byPart, byValue } from '../listing/list-page.ts';
import { objectAt, textAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { mergedMembers, paged, replaced } from './family.ts';
import type { Family } from './family.ts';

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

/** IP access rules of zones, accounts and users (api.md 9.7). */
export const accessRules = {
  path: '/firewall/access_rules/rules',
  owners: ['zone', 'account', 'user'],
  holds: 'collection',
  noun: 'access rule',
  access: (call, access) =>
    checkPermission(call, access, [
      call.scope.kind === 'zone' ? 'Firewall Services' : 'Account Firewall Access Rules',
    ]),
  writes: { POST: replaced, PATCH: mergedMembers },
  deletes: true,
  ignores: ['allowed_modes', 'scope'],
  stamped: true,
  body: object({
    mode: text(),
    notes: text(),
    configuration: object({ target: text(), value: text() }),
  }),
  standard: { notes: '' },
  fill: (rule, { scope, others }) => {
    const { target, value } = targetOf(rule);
    const fits = Object.hasOwn(TARGETS, target) ? TARGETS[target] : undefined;
    if (!MODES.includes(textAt(rule, 'mode') ?? '')) {
      throw invalid(`mode must be one of ${MODES.join(', ')}`);
    }
    if (fits?.(value) !== true) {
      throw invalid(`'${value}' is not a valid value for the target '${target}'`);
    }
    const isSame = (other: WireObject): boolean => {
      const its = targetOf(other);
      return its.target === target && its.value.toLowerCase() === value.toLowerCase();
    };
    if (others.some((other) => isSame(other.value))) {
      throw refuse(400, 'firewallaccessrules.api.duplicate_of_existing', { code: 10009 });
    }
    return { ...rule, allowed_modes: MODES, scope: shownScope(scope) };
  },
  list: paged({
    mode: byValue(({ value }) => textAt(value, 'mode') ?? ''),
    notes: byPart(({ value }) => textAt(value, 'notes') ?? ''),
    'configuration.target': byValue(({ value }) => targetOf(value).target),
    'configuration.value': byPart(({ value }) => targetOf(value).value),
  }),
} as const satisfies Family;

/** Says whose rule it is; that a zone's rule says `zone` is assumed. */
function shownScope(scope: FamilyScope): WireObject {
  switch (scope.kind) {
    case 'zone':
      return { id: scope.zone.id, type: 'zone' };
    case 'account':
      return { id: scope.account.id, type: 'organization' };
    case 'user':
      return { id: scope.user.id, email: scope.user.email, type: 'user' };
    default:
      return {};
  }
}

function targetOf(rule: WireObject): { readonly target: string; readonly value: string } {
  const configuration = objectAt(rule, 'configuration') ?? {};
  return { target: textAt(configuration, 'target') ?? '', value: textAt(configuration, 'value') ?? '' };
}

function invalid(reason: string): Refusal {
  return refuse(400, `firewallaccessrules.api.validation_error: ${reason}`, { code: 10001 });
}
