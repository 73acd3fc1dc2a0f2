import { FIELDS } from '../expression/index.ts';
import type { Value, Values } from '../expression/index.ts';
import { fillDefaults } from '../expression/values/defaults.ts';
import type { PlanLevel } from '../model/plan-level.ts';
import type { SimulatedRequest } from './exchange.ts';
import { bodyFields, headerFields, urlFields } from './request-fields.ts';
import { responseFields } from './response-fields.ts';
import type { ResponseState } from './response-fields.ts';

/** How `cf.zone.plan` calls the plans (rules-language.md 4.1). */
export const PLAN_CODES: Readonly<Record<PlanLevel, string>> = {
  free: 'FREE',
  pro: 'PRO',
  business: 'BIZ',
  enterprise: 'ENT',
};

/** What is the same for all requests to a zone. */
export interface ZoneFacts {
  readonly name: string;
  /** As `cf.zone.plan` has it; "" when nobody said. */
  readonly plan: string;
}

/** A request on its way, as the rules of a phase see it. */
export interface ExchangeState {
  readonly zone: ZoneFacts;
  /** As it came in; what rewrites changed is in `request`. */
  readonly original: SimulatedRequest;
  readonly request: SimulatedRequest;
  readonly response?: ResponseState;
  /** Fields that the test gives for the response. */
  readonly responseGiven?: Values;
}

// Values of a plain request where "", 0 and false would say something else: scores of a visitor that nothing speaks against
// (rules-language.md 5: 100 is "not scored", low is bot or attack).
const NEUTRAL: readonly (readonly [string, Value])[] = [
  ['cf.bot_management.score', 99],
  ['cf.waf.score', 100],
  ['cf.waf.score.sqli', 100],
  ['cf.waf.score.xss', 100],
  ['cf.waf.score.rce', 100],
  ['cf.llm.prompt.injection_score', 100],
  ['http.request.version', 'HTTP/2'],
  ['cf.edge.client_tcp', true],
];

// `true` and `false` are names as well, and no fields: a default would make `true` false.
const DEFAULTS: Values = fillDefaults(
  new Map(NEUTRAL),
  new Map([...FIELDS.values()].map(({ name, type }) => [name, type])),
);

/** Values that several names have; what is given under one of them counts for the others (rules-language.md 4.2). */
export const SAME: readonly (readonly [string, string])[] = [
  ...[
    'asnum',
    'continent',
    'country',
    'subdivision_1_iso_code',
    'subdivision_2_iso_code',
    'is_in_european_union',
  ].map((name) => [`ip.src.${name}`, `ip.geoip.${name}`] as const),
  ['cf.bot_management.verified_bot', 'cf.client.bot'],
];

/** The fields of an exchange that are given, or follow from what is given. */
export function knownFields(state: ExchangeState): Values {
  const { assumedAgent } = state.original;
  const fields = new Map(fieldsOf(state));
  if (assumedAgent !== undefined && fields.get('http.user_agent') === assumedAgent) {
    fields.delete('http.user_agent');
  }
  return fields;
}

function fieldsOf(state: ExchangeState): Values {
  const { zone, original, request, response, responseGiven } = state;
  const given = new Map<string, Value>([...original.fields, ...(responseGiven ?? [])]);
  for (const [one, other] of SAME) {
    const value = given.get(one) ?? given.get(other);
    if (value !== undefined) {
      given.set(one, value);
      given.set(other, value);
    }
  }
  return new Map<string, Value>([
    ...urlFields(original.url, 'raw.'),
    ...urlFields(request.url, ''),
    ...headerFields(request.headers, { host: original.url.host, sent: original.headers }),
    ...bodyFields(original),
    ['http.request.method', original.method],
    ['ssl', original.url.scheme === 'https'],
    ['cf.edge.server_port', original.url.port],
    ['cf.zone.name', zone.name],
    ...(zone.plan === '' ? [] : [['cf.zone.plan', zone.plan] as const]),
    ...(original.ip === undefined ? [] : [['ip.src', original.ip] as const]),
    ...(response === undefined ? [] : responseFields(response)),
    ...given,
  ]);
}

/** All fields of an exchange: what is not known has the value of a plain request; an address stays missing. */
export function allFields(state: ExchangeState): Values {
  const values = new Map(DEFAULTS);
  for (const [name, value] of fieldsOf(state)) {
    values.set(name, value);
  }
  return values;
}
