import { inZones, plainRoute } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { deleteFilter, deleteFilters, putFilter, putFilters } from './filter-changes.ts';
import { createFilters, getFilter, listFilters } from './filters.ts';
import {
  deleteFirewallRule,
  deleteFirewallRules,
  patchFirewallRule,
  patchFirewallRules,
  putFirewallRule,
  putFirewallRules,
} from './rule-changes.ts';
import { createFirewallRules, getFirewallRule, listFirewallRules } from './rules.ts';
import { validateBody, validateQuery } from './validate-expression.ts';

const RULES = '/firewall/rules';
const RULE = `${RULES}/:rule`;
const FILTERS = '/filters';
const FILTER = `${FILTERS}/:filter`;
const VALIDATION = `${FILTERS}/validate-expr`;

/** The routes of firewall rules and filters (specification 4.2, api.md 9.1, 9.2). */
export const firewallRoutes: readonly Route[] = [
  inZones('GET', RULES, listFirewallRules),
  inZones('POST', RULES, createFirewallRules),
  inZones('PUT', RULES, putFirewallRules),
  inZones('PATCH', RULES, patchFirewallRules),
  inZones('DELETE', RULES, deleteFirewallRules),
  inZones('GET', RULE, getFirewallRule),
  inZones('PUT', RULE, putFirewallRule),
  inZones('PATCH', RULE, patchFirewallRule),
  inZones('DELETE', RULE, deleteFirewallRule),
  inZones('GET', FILTERS, listFilters),
  inZones('POST', FILTERS, createFilters),
  inZones('PUT', FILTERS, putFilters),
  inZones('DELETE', FILTERS, deleteFilters),
  inZones('GET', FILTER, getFilter),
  inZones('PUT', FILTER, putFilter),
  inZones('DELETE', FILTER, deleteFilter),
  plainRoute('GET', VALIDATION, validateQuery),
  plainRoute('POST', VALIDATION, validateBody),
];
