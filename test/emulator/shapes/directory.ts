import { pages, plan } from './answers.ts';
import type { AnswerShapes } from './answers.ts';
import { any, either, flag, id, integer, list, map, nothing, object, text, time, word } from './shape.ts';

const account = object({
  id,
  name: text,
  type: word('standard', 'enterprise'),
  settings: any,
  created_on: time,
});

const zone = object({
  id,
  name: text,
  status: word('active', 'pending'),
  paused: flag,
  type: text,
  development_mode: integer,
  name_servers: list(text),
  original_name_servers: nothing,
  original_registrar: nothing,
  original_dnshost: nothing,
  meta: object({
    step: integer,
    custom_certificate_quota: integer,
    page_rule_quota: integer,
    phishing_detected: flag,
  }),
  owner: object({ id, type: word('organization'), name: text }),
  permissions: list(text),
  account: object({ id, name: text }),
  plan: object({
    id: text,
    legacy_id: plan,
    name: text,
    price: integer,
    currency: text,
    frequency: text,
    is_subscribed: flag,
    can_subscribe: flag,
    legacy_discount: flag,
    externally_managed: flag,
  }),
  created_on: time,
  modified_on: time,
  activated_on: either(time, nothing),
});

const verified = object({ id, status: word('active', 'disabled', 'expired') });
const role = object({
  id,
  name: text,
  description: text,
  permissions: map(object({ read: flag, write: flag })),
});

/** Token check, accounts, zones (api.md 1.1, 13.4). */
export const directoryShapes: AnswerShapes = {
  'GET /user': {
    result: object({
      id,
      email: text,
      first_name: nothing,
      last_name: nothing,
      telephone: nothing,
      country: nothing,
      zipcode: nothing,
      suspended: flag,
      two_factor_authentication_enabled: flag,
      two_factor_authentication_locked: flag,
      has_pro_zones: flag,
      has_business_zones: flag,
      has_enterprise_zones: flag,
    }),
  },
  'GET /user/tokens/verify': { result: verified },
  'GET /accounts/:account/tokens/verify': { result: verified },
  'GET /accounts/:account/roles': { result: list(role), info: pages },
  'GET /accounts/:account/roles/:role': { result: role },
  'POST /zones': { result: zone },
  'PATCH /zones/:zone': { result: zone },
  'DELETE /zones/:zone': { result: object({ id }) },
  'GET /accounts': { result: list(account), info: pages },
  'GET /accounts/:account': { result: account },
  'GET /zones': { result: list(zone), info: pages },
  'GET /zones/:zone': { result: zone },
};
