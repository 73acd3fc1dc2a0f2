import { objectsIn, omit, textOf } from '../../model/json.ts';
import type { JsonObject } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import { isAlwaysOn } from '../../model/phase.ts';
import { quoted } from '../../model/quoted.ts';
import type { RuleContent } from '../../model/rule.ts';
import { CACHE_CONTROL, CACHE_SETTINGS } from './caching.ts';
import { isCredentialHeader } from './credential-headers.ts';
import { EXECUTING } from './executed.ts';
import type { Stand } from './stand.ts';
import { headerChanges } from './headers.ts';
import { inWords, skipped, stillToCome } from './lets-past.ts';
import { compareExecutes } from './overrides.ts';
import { blockPage, errorPage } from './pages.ts';
import { redirectList, redirectTarget } from './redirects.ts';
import type { Role } from './role.ts';
import { strengthOf } from './role.ts';
import type { Named, Reading, Readings, Trait } from './trait.ts';
import { always, harmless, ladder, PROTECTING_SWITCH } from './trait.ts';

/** What an action does by itself, and by its parameters. */
interface Action {
  readonly itself?: (content: RuleContent, stand: Stand) => Named;
  /** Absent when the parameters are not judged separately. */
  readonly parameters?: Readings;
}

/** Name of the trait of rules that stop requests. */
export const STOPS = 'stops requests';

/** An action that stops requests or only logs them; the firmer of two such actions protects more. */
function stopping(parameters: Readings): Action {
  return {
    itself: ({ action }) => {
      const height = strengthOf(action) ?? 0;
      const role = height === 0 ? 'none' : 'protects';
      return [STOPS, { role, label: action, value: action, height }];
    },
    parameters,
  };
}

function executing({ action_parameters: parameters = {} }: RuleContent, stand: Stand): Trait {
  if (!isAlwaysOn(stand)) {
    return { role: 'protects', ...EXECUTING, value: parameters };
  }
  const none = { id: parameters['id'] ?? null };
  const [comes, goes] = [compareExecutes(none, parameters).kind, compareExecutes(parameters, none).kind];
  const role: Role =
    comes === 'weaker' ? (goes === 'weaker' ? 'both' : 'permits') : goes === 'weaker' ? 'protects' : 'none';
  const label = `overrides by which DDoS protection ${comes === 'weaker' ? 'may do less' : 'does more'}`;
  return { role, label, value: parameters };
}

function skipping(parameters: JsonObject, stand: Stand): Pick<Trait, 'label' | 'verb'> {
  const what = inWords(skipped(parameters, stand));
  return what === ''
    ? { label: 'a skip', verb: 'applies skip' }
    : { label: `a skip of ${what}`, verb: `skips ${what}` };
}

/** Reads which header or cookie values are logged; whoever reads the logs may use a credential in them. */
function logged(kind: string, isCredential: (name: string) => boolean): Reading {
  return (fields, { path }) =>
    objectsIn(fields)
      .map(({ name }) => textOf(name))
      .filter(isCredential)
      .map((name) => [
        `${path} ${name}`,
        { role: 'permits', label: `the ${kind} ${quoted(name)} in logs`, value: true },
      ]);
}

const loggedHeaders = logged('header', isCredentialHeader);

const OTHER_HOST = always('both', 'a route to another host', 'sends requests to another host');
/** Behind the origin's other ports may be what was never meant for visitors: databases, consoles, the same site without its protection. */
const OTHER_PORT = always(
  'both',
  'a route to another port of the origin',
  'sends requests to another port of the origin',
);
const OTHER_URL = always(
  'both',
  'a rewrite: rules of later phases see only the new URL',
  'rewrites to another URL',
);

const ACTIONS: Readonly<Record<string, Action>> = {
  block: stopping({ response: blockPage }),
  challenge: stopping({}),
  js_challenge: stopping({}),
  managed_challenge: stopping({}),
  log: stopping({}),
  skip: {
    itself: ({ action_parameters: given = {}, logging = {} }, stand) => {
      const parameters = stillToCome(given, stand.phase);
      const role = Object.keys(parameters).length === 0 && given['phases'] !== undefined ? 'none' : 'permits';
      return ['skip', { role, ...skipping(parameters, stand), value: { parameters, logging } }];
    },
    parameters: harmless('phase', 'phases', 'products', 'rules', 'ruleset', 'rulesets'),
  },
  execute: {
    itself: (content, stand) => ['execute', executing(content, stand)],
    parameters: harmless('id', 'matched_data', 'overrides', 'version'),
  },
  redirect: {
    parameters: {
      from_list: redirectList,
      from_value: { target_url: redirectTarget, ...harmless('status_code', 'preserve_query_string') },
    },
  },
  rewrite: {
    parameters: {
      headers: headerChanges,
      uri: { path: OTHER_URL, query: OTHER_URL },
    },
  },
  route: {
    parameters: {
      host_header: OTHER_HOST,
      origin: { host: OTHER_HOST, port: OTHER_PORT },
      sni: { value: OTHER_HOST },
    },
  },
  set_config: {
    parameters: {
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
  },
  set_cache_settings: { parameters: CACHE_SETTINGS },
  set_cache_control: { parameters: CACHE_CONTROL },
  set_cache_tags: { parameters: harmless('expression', 'operation', 'values') },
  compress_response: { parameters: harmless('algorithms') },
  serve_error: {
    parameters: {
      asset_name: always('both', 'an error page that is kept elsewhere', 'shows another error page'),
      content: errorPage,
      ...harmless('content_type', 'status_code'),
    },
  },
  log_custom_field: {
    parameters: {
      cookie_fields: logged('cookie', () => true),
      request_fields: loggedHeaders,
      transformed_request_fields: loggedHeaders,
      response_fields: loggedHeaders,
      raw_response_fields: loggedHeaders,
    },
  },
};

/** Returns what an action does. Of an unknown action, only another description is proven not to matter. */
export function actionOf(action: string): Action {
  return Object.hasOwn(ACTIONS, action) ? (ACTIONS[action] ?? UNKNOWN_ACTION) : UNKNOWN_ACTION;
}

const UNKNOWN_ACTION: Action = {
  itself: (content) => [
    `what ${content.action} does`,
    {
      role: 'both',
      label: `${content.action}, whose effect on protection is not known`,
      value: omit(canonicalContent(content), ['description', 'enabled', 'expression']),
    },
  ],
};
