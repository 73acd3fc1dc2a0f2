import { FIELDS, fillDefaults } from '../expression/index.ts';
import type { Value, Values } from '../expression/index.ts';
import type { PlanLevel } from '../model/index.ts';
import type { SimulatedRequest } from './exchange.ts';
import { bodyFields, headerFields, RAW_URL_FIELDS, URL_FIELDS, urlFields } from './request-fields.ts';
import { responseFields } from './response-fields.ts';
import type { ResponseState } from './response-fields.ts';

/** The values of `cf.zone.plan` (rules-language.md 4.1). */
export const PLAN_CODES: Readonly<Record<PlanLevel, string>> = {
  free: 'FREE',
  pro: 'PRO',
  business: 'BIZ',
  enterprise: 'ENT',
};

/** The facts that are the same for all requests to a zone. */
export interface ZoneFacts {
  readonly name: string;
  /** The value of `cf.zone.plan`; "" when the plan is unknown. */
  readonly plan: string;
}

/** The state of a request, and of its response, as the rules of a phase see it. */
export interface ExchangeState {
  readonly zone: ZoneFacts;
  /** The request as it came in; `request` has the changes of rewrites. */
  readonly original: SimulatedRequest;
  readonly request: SimulatedRequest;
  readonly response?: ResponseState;
  /** The fields that the test gives for the response. */
  readonly responseGiven?: Values;
}

// Values of a plain request where "", 0 and false would mean something else: scores of an unsuspicious visitor (rules-language.md 5: 100 is
// "not scored", low is bot or attack).
const NEUTRAL: readonly (readonly [string, Value])[] = [
  ['cf.bot_management.score', 99],
  ['cf.waf.score', 100],
  ['cf.waf.score.sqli', 100],
  ['cf.waf.score.xss', 100],
  ['cf.waf.score.rce', 100],
  ['cf.llm.prompt.injection_score', 100],
  ['http.request.version', 'HTTP/2'],
  // Systems take ports from 49152 on for connections that they open (RFC 6335).
  ['cf.edge.client_port', 49152],
  ['cf.edge.client_tcp', true],
];

// `FIELDS` has no `true` and `false`: a default for these would make `true` false.
const DEFAULTS: Values = fillDefaults(
  new Map(NEUTRAL),
  new Map([...FIELDS.values()].map(({ name, type }) => [name, type])),
);

/** Pairs of names for the same value; a value given under one name counts for the other (rules-language.md 4.2). */
export const NAMES_OF_ONE_VALUE: readonly (readonly [string, string])[] = [
  ...[
    'asnum',
    'continent',
    'country',
    'subdivision_1_iso_code',
    'subdivision_2_iso_code',
    'is_in_european_union',
  ].map((name) => [`ip.src.${name}`, `ip.geoip.${name}`] as const),
  ['cf.bot_management.verified_bot', 'cf.client.bot'],
  ['cf.tls_ciphers_sha1', 'cf.tls_client_ciphers_sha1'],
];

/** Returns the fields of an exchange that are given, or follow from what is given. */
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
  for (const [one, other] of NAMES_OF_ONE_VALUE) {
    const value = given.get(one) ?? given.get(other);
    if (value !== undefined) {
      given.set(one, value);
      given.set(other, value);
    }
  }
  return new Map<string, Value>([
    ...urlFields(original.url, RAW_URL_FIELDS),
    ...urlFields(request.url, URL_FIELDS),
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

/** Returns all fields of an exchange. Unknown fields have the values of a plain request, except that an unknown address stays missing. */
export function allFields(state: ExchangeState): Values {
  const values = new Map(DEFAULTS);
  for (const [name, value] of fieldsOf(state)) {
    values.set(name, value);
  }
  return values;
}
