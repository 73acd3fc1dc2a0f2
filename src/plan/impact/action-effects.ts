import { objectsIn, omit, textOf, objectOf, assertNever, groupBy } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import {
  canonicalContent,
  isAlwaysOn,
  phaseFacts,
  readSkip,
  strengthOf,
  actionFacts,
  headerRewrites,
  isCredentialName,
  readsCredentials,
  TRANSPORT_SECURITY,
  transportSecuritySeconds,
} from '../../model/index.ts';
import { oneLine, quoted, someNames } from '../../text/index.ts';
import type { ActionKind, HeaderRewrite, RuleContent } from '../../model/index.ts';
import { parseExpression } from '../../expression/index.ts';
import { rewritesUrl } from './rewritten-match.ts';
import { possibleTexts } from './possible-values.ts';
import { EXECUTES, EXECUTING } from './executed-rules.ts';
import type { PossibleText } from './possible-text.ts';
import { joinTexts, text } from './possible-text.ts';
import type { Destination } from './redirect-effects.ts';
import { destinationOf, isOfZone, ownName } from './redirect-effects.ts';
import { inWords, skipped, stillToCome } from './bypass.ts';
import { isWithin } from './conditions.ts';
import { everyRequestIn } from './every-request.ts';
import { compareExecutes } from './override-effects.ts';
import { activeParts } from './page-content.ts';
import { decidingHeader, REQUEST_HEADERS, RESPONSE_HEADERS } from './header-effects.ts';
import type { DecidingHeader } from './header-effects.ts';
import { CACHE_CONTROL, CACHE_SETTINGS } from './caching-effects.ts';
import type {
  EffectContext,
  EffectDirection,
  NamedEffect,
  ParameterEffects,
  Readings,
  SecurityEffect,
  Parameter,
} from './security-effect.ts';
import { always, harmless, ladder, PROTECTING_SWITCH } from './security-effect.ts';

/** Reads what changed headers do. Their names tell which of them matter, regardless of case. */
const headerEffects: ParameterEffects = (headers, { context: { phase } }) => {
  // In a phase that this version does not know, they may be headers of either side.
  const stage = phaseFacts(phase)?.stage;
  const byName = groupBy(headerRewrites({ headers }), ({ key }) => key);
  return [...byName].flatMap(([name, changes]) => {
    return [
      ...(stage === 'response'
        ? []
        : changesOf(`the request header ${name}`, decidingHeader(REQUEST_HEADERS, name), changes)),
      ...(stage === 'request' ? [] : inAnswer(name, changes)),
    ];
  });
};

function changesOf(
  header: string,
  row: DecidingHeader | undefined,
  changes: readonly HeaderRewrite[],
): readonly NamedEffect[] {
  const [change, ...more] = changes;
  if (row === undefined || change === undefined) {
    return [];
  }
  if (more.length > 0) {
    const value = changes.map(({ given }) => given);
    return [[header, { direction: 'both', label: `${header} twice, of which either may count`, value }]];
  }
  const direction = effectDirectionOf(row, change);
  const label =
    change.operation === 'remove'
      ? `the removal of ${header}`
      : `${header}${direction === 'protects' ? '' : `, ${row.why}`}`;
  return direction === 'none' ? [] : [[header, { direction, label, value: change.given }]];
}

function effectDirectionOf(
  { set, add, remove }: DecidingHeader,
  { operation, value }: HeaderRewrite,
): EffectDirection {
  if (operation === 'remove') {
    return remove;
  }
  const decides = operation === 'add' ? (add ?? set) : set;
  return typeof decides === 'string' ? decides : decides(value?.trim());
}

function inAnswer(name: string, changes: readonly HeaderRewrite[]): readonly NamedEffect[] {
  const header = `the header ${name}`;
  const found = changesOf(header, decidingHeader(RESPONSE_HEADERS, name), changes);
  const [change] = changes;
  const shown = changes.flatMap(({ expression = '' }) => (readsCredentials(expression) ? [expression] : []));
  const transport = name === TRANSPORT_SECURITY && change?.operation === 'set' ? (change.value ?? '') : '';
  return [
    ...(transportSecuritySeconds(transport) === 0
      ? [[header, { direction: 'permits', label: 'HSTS off', verb: 'switches HSTS off', value: 0 }] as const]
      : transport !== '' && found[0]?.[1].direction === 'protects'
        ? transportSecurity(header, transport)
        : found),
    ...shown.map((value): NamedEffect => [
      `${header} with credentials`,
      { direction: 'permits', label: `${header}, which shows scripts the credentials of the request`, value },
    ]),
  ];
}

/** Reads Strict-Transport-Security: a longer time protects more. */
function transportSecurity(header: string, value: string): readonly NamedEffect[] {
  const time = transportSecuritySeconds(value) ?? 0;
  const subdomains = `${header} of subdomains`;
  return [
    [header, { direction: 'protects', label: header, value: `max-age=${time}`, height: time }],
    ...(/;\s*includesubdomains/i.test(value)
      ? [[subdomains, { direction: 'protects', label: subdomains, value: true }] as const]
      : []),
  ];
}

/**
 * Reads a redirect target. Leading out of the zone, or to an unknown host, counts as permitting: whoever receives the visitors of a login page
 * gets their passwords.
 */
const redirectTarget: ParameterEffects = (target, parameter) => {
  const { path } = parameter;
  const { expression } = objectOf(target);
  return [
    ...destinationEffects(target, parameter),
    ...(readsCredentials(textOf(expression))
      ? [[`${path} with credentials`, credentialsInUrl(textOf(expression))] as const]
      : []),
  ];
};

/** Addresses stand in histories, logs and the `Referer` of what the page loads. */
function credentialsInUrl(value: string): SecurityEffect {
  return {
    direction: 'both',
    label: 'a redirect that writes credentials of the request into the address',
    value,
  };
}

function destinationEffects(target: JsonValue, parameter: Parameter): readonly NamedEffect[] {
  const { path } = parameter;
  const destination = worstDestination(target, parameter);
  switch (destination.kind) {
    case 'same':
      return [];
    case 'unencrypted':
      return [[path, away('an address without TLS', target)]];
    case 'unknown':
      return [[path, away('a host that is not known', target)]];
    case 'open':
      return [[path, away(`${destination.where} (${destination.mend})`, target)]];
    case 'host':
      return [[path, away(destination.host, destination.host)]];
    default:
      return assertNever(destination);
  }
}

/** Reads a redirect by list, whose items no plan knows. */
const redirectList: ParameterEffects = (list, { path }) => [
  [path, away(`where the list ${quoted(textOf(objectOf(list)['name']))} says`, list)],
];

function away(where: string, value: JsonValue): SecurityEffect {
  return {
    direction: 'permits',
    label: `a redirect to ${where}`,
    value,
    changed: `sends visitors to ${where}`,
  };
}

/** From the least known to the best known. */
const ORDER: readonly Destination['kind'][] = ['open', 'unknown', 'host', 'unencrypted', 'same'];

/** Returns where a target may lead, the worst of it. */
function worstDestination(target: JsonValue, parameter: Parameter): Destination {
  const zone = ownName(parameter.context.scope);
  const destinations = (textsFor(target, parameter) ?? []).map((one) => destinationOf(one, zone));
  const rank = ({ kind }: Destination): number => ORDER.indexOf(kind);
  return destinations.toSorted((a, b) => rank(a) - rank(b))[0] ?? { kind: 'unknown' };
}

/** Returns the texts that a value may be, written out or computed; undefined if they cannot be told. */
function textsFor(
  given: JsonValue,
  { content, context: { scope } }: Parameter,
): readonly PossibleText[] | undefined {
  const { value, expression } = objectOf(given);
  const isSure = (comparison: string): boolean => isWithin(content.expression, comparison);
  return typeof expression === 'string'
    ? textsOf(expression, { zone: ownName(scope), isSure })
    : [{ pieces: [text(textOf(value))], isOfPlainHttp: false }];
}

function textsOf(
  expression: string,
  known: Parameters<typeof possibleTexts>[1],
): readonly PossibleText[] | undefined {
  const parsed = parseExpression(expression, { mode: 'value' });
  return parsed.ok && parsed.tree.mode === 'value' ? possibleTexts(parsed.tree.root, known) : undefined;
}

/** Reads the response of a block. */
const blockPage: ParameterEffects = (response, parameter) => {
  const { content, content_type: type } = objectOf(response);
  return page({ content: textOf(content), type: textOf(type) }, parameter);
};

/** Reads the content of an error page; its type stands beside it, and is html without one (api.md 5.9). */
const errorPage: ParameterEffects = (content, parameter) => {
  const { content_type: type } = objectOf(parameter.content.action_parameters);
  return page({ content: textOf(content), type: textOf(type) }, parameter);
};

/** The most parts of a page that a reason names. */
const MOST_NAMED = 3;

/** What a page does, it does as one of the zone: with its cookies, and under its name. */
function page(
  { content, type }: { readonly content: string; readonly type: string },
  { path, context }: Parameter,
): ReturnType<ParameterEffects> {
  const parts = activeParts(content, type, context);
  const label = `a page of the zone with ${someNames(parts, MOST_NAMED)}`;
  return parts.length === 0
    ? []
    : [
        [
          path,
          {
            direction: 'permits',
            label,
            value: { content, type },
            changed: `shows another page with ${someNames(parts, MOST_NAMED)}`,
          },
        ],
      ];
}

/** What an action does by itself, and by its parameters. */
interface Action {
  readonly itself?: (content: RuleContent, context: EffectContext) => NamedEffect;
  /** Absent when the parameters are not judged separately. */
  readonly parameters?: Readings;
}

/** Name of the effect of rules that stop requests. */
export const STOPS = 'stops requests';
/** Name of the effect of rules that skip others. */
export const SKIPS = 'skips';

/** An action that stops requests or only logs them; the firmer of two such actions protects more. */
function stopping(parameters: Readings): Action {
  return {
    itself: ({ action, ratelimit }) => {
      const height = strengthOf(action) ?? 0;
      const direction = height === 0 ? 'none' : 'protects';
      const verb = actionFacts(action)?.verbs?.[0];
      const what = ratelimit === undefined ? 'what it matches' : 'what exceeds its limit';
      return [
        STOPS,
        {
          direction,
          label: action,
          ...(verb === undefined ? {} : { verb: `${verb} ${what}` }),
          value: action,
          height,
        },
      ];
    },
    parameters,
  };
}

function executing(
  { action_parameters: parameters = {} }: RuleContent,
  context: EffectContext,
): SecurityEffect {
  if (!isAlwaysOn(context)) {
    return { direction: 'protects', ...EXECUTING, value: parameters };
  }
  const none = { id: parameters['id'] ?? null };
  const [comes, goes] = [compareExecutes(none, parameters).kind, compareExecutes(parameters, none).kind];
  const direction: EffectDirection =
    comes === 'weaker' ? (goes === 'weaker' ? 'both' : 'permits') : goes === 'weaker' ? 'protects' : 'none';
  const label = `overrides by which DDoS protection ${comes === 'weaker' ? 'may do less' : 'does more'}`;
  return { direction, label, value: parameters };
}

function skipping(parameters: JsonObject, context: EffectContext): Pick<SecurityEffect, 'label' | 'verb'> {
  const what = inWords(skipped(parameters, context), (reference) => nameOf(reference, context));
  return what === ''
    ? { label: 'a skip', verb: 'applies skip' }
    : { label: `a skip of ${what}`, verb: `skips ${what}` };
}

function nameOf(reference: string, { executed, names }: EffectContext): string | undefined {
  return executed?.(reference)?.name ?? names?.get(reference);
}

/** The names of the custom rulesets that a skip names, by their references. */
function rulesetNames(parameters: JsonObject, context: EffectContext): JsonObject {
  const { rulesets, rules } = readSkip(parameters);
  return Object.fromEntries(
    [...rulesets, ...rules.keys()].flatMap((reference) => {
      const name = nameOf(reference, context);
      return name === undefined ? [] : [[reference, name]];
    }),
  );
}

/** Reads which header or cookie values are logged; whoever reads the logs may use a credential in them. */
function logged(kind: string, isCredential: (name: string) => boolean): ParameterEffects {
  return (fields, { path }) =>
    objectsIn(fields)
      .map(({ name }) => textOf(name))
      .filter(isCredential)
      .map((name) => [
        `${path} ${name}`,
        { direction: 'permits', label: `the ${kind} ${quoted(name)} in logs`, value: true },
      ]);
}

const loggedHeaders = logged('header', isCredentialName);

/** Reads the host to which requests are sent, or which they name there. One of the zone is not a foreign one, and what stands behind it no plan knows. */
function otherHost(sends: (requests: string, host: string) => string): ParameterEffects {
  return (value, { path, content, context }) => {
    const host = oneLine(textOf(value));
    const isOwn = isOfZone(host.toLowerCase(), context.scope);
    const every = isOwn ? undefined : everyRequestIn(content, context);
    const effect: SecurityEffect = {
      direction: 'both',
      label: isOwn ? `a route to ${host}, a name of this zone` : `a route to another host, ${host}`,
      value,
      changed: sends('requests', host),
    };
    return [[path, every === undefined ? effect : { ...effect, toAll: sends(every, host) }]];
  };
}

const OTHER_ORIGIN = otherHost((requests, host) => `sends ${requests} to ${host}`);
const OTHER_NAME = otherHost((requests, host) => `sends ${requests} to the origin under the name ${host}`);
/** Behind the origin's other ports may be what was never meant for visitors: databases, consoles, the same site without its protection. */
const OTHER_PORT = always(
  'both',
  'a route to another port of the origin',
  'sends requests to another port of the origin',
);
/** Rewrites the URL. Which rules of later phases take notice, the plan of the whole scope tells (`withRewritten`). */
const OTHER_URL: ParameterEffects = (value, { path, context: { phase } }) => [
  [
    path,
    {
      direction: rewritesUrl(phase) ? 'none' : 'both',
      label: 'a rewrite of the URL',
      value,
      changed: 'rewrites to another URL',
    },
  ],
];

/** Reads a new path. One that is always the same replaces all pages by one, if every request gets it. */
const otherPath: ParameterEffects = (value, parameter) => {
  const fixed = fixedText(value, parameter);
  const every = fixed === undefined ? undefined : everyRequestIn(parameter.content, parameter.context);
  return OTHER_URL(value, parameter).map(([name, effect]): NamedEffect => [
    name,
    fixed === undefined || every === undefined
      ? effect
      : { ...effect, toAll: `replaces every page: ${every} gets ${oneLine(fixed)}` },
  ]);
};

/** Returns the text that a value always is, written out or computed; undefined if it depends on the request. */
function fixedText(given: JsonValue, parameter: Parameter): string | undefined {
  const [first, ...more] = textsFor(given, parameter) ?? [];
  const [piece, ...rest] = joinTexts(first?.pieces ?? []);
  return more.length === 0 && rest.length === 0 && piece?.kind === 'text' ? piece.text : undefined;
}

/** What is the same for all actions of a kind. */
const KINDS: Readonly<Partial<Record<ActionKind, Action>>> = {
  skip: {
    itself: ({ action_parameters: given = {}, logging = {} }, context) => {
      const parameters = stillToCome(given, context.phase);
      const direction =
        Object.keys(parameters).length === 0 && given['phases'] !== undefined ? 'none' : 'permits';
      return [
        SKIPS,
        {
          direction,
          ...skipping(parameters, context),
          value: { parameters, logging, phase: context.phase, names: rulesetNames(parameters, context) },
        },
      ];
    },
    parameters: harmless('phase', 'phases', 'products', 'rules', 'ruleset', 'rulesets'),
  },
  execute: {
    itself: (content, context) => [EXECUTES, executing(content, context)],
    parameters: harmless('id', 'matched_data', 'overrides', 'version'),
  },
};

/** What the parameters of each action do; a parameter that is not here may do anything. */
const PARAMETERS: Readonly<Record<string, Readings>> = {
  block: { response: blockPage },
  redirect: {
    from_list: redirectList,
    from_value: { target_url: redirectTarget, ...harmless('status_code', 'preserve_query_string') },
  },
  rewrite: {
    headers: headerEffects,
    uri: { path: otherPath, query: OTHER_URL },
  },
  route: {
    host_header: OTHER_NAME,
    origin: { host: OTHER_ORIGIN, port: OTHER_PORT },
    sni: { value: OTHER_NAME },
  },
  set_config: {
    security_level: ladder(['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack']),
    ssl: ladder(['off', 'flexible', 'full', 'strict']),
    bic: PROTECTING_SWITCH,
    hotlink_protection: PROTECTING_SWITCH,
    email_obfuscation: PROTECTING_SWITCH,
    automatic_https_rewrites: PROTECTING_SWITCH,
    opportunistic_encryption: PROTECTING_SWITCH,
    server_side_excludes: PROTECTING_SWITCH,
    // The WAF inspects bodies only as far as they are buffered.
    request_body_buffering: ladder(['none', 'standard', 'full'], 'standard'),
    response_body_buffering: ladder(['none', 'standard'], 'standard'),
    ...harmless(
      'autominify',
      'content_converter',
      'disable_apps',
      'disable_pay_per_crawl',
      'disable_railgun',
      'disable_rum',
      'disable_zaraz',
      'fonts',
      'mirage',
      'polish',
      'redirects_for_ai_training',
      'rocket_loader',
      'sxg',
    ),
  },
  set_cache_settings: CACHE_SETTINGS,
  set_cache_control: CACHE_CONTROL,
  set_cache_tags: harmless('expression', 'operation', 'values'),
  compress_response: harmless('algorithms'),
  serve_error: {
    asset_name: always('both', 'an error page that is kept elsewhere', 'shows another error page'),
    content: errorPage,
    ...harmless('content_type', 'status_code'),
  },
  log_custom_field: {
    cookie_fields: logged('cookie', () => true),
    request_fields: loggedHeaders,
    transformed_request_fields: loggedHeaders,
    response_fields: loggedHeaders,
    raw_response_fields: loggedHeaders,
  },
};

/** Returns what an action does. Of one that nothing is known of, only another description is proven not to matter. */
export function actionOf(action: string): Action {
  const facts = actionFacts(action);
  const parameters = Object.hasOwn(PARAMETERS, action) ? PARAMETERS[action] : undefined;
  if (facts?.strength !== undefined) {
    return stopping(parameters ?? {});
  }
  const ofKind = facts === undefined ? undefined : KINDS[facts.kind];
  return ofKind ?? (parameters === undefined ? UNKNOWN_ACTION : { parameters });
}

const UNKNOWN_ACTION: Action = {
  itself: (content) => [
    `what ${content.action} does`,
    {
      direction: 'both',
      label: `${content.action}, whose effect on protection is not known`,
      value: omit(canonicalContent(content), ['description', 'enabled', 'expression']),
    },
  ],
};
