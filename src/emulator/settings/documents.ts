import type { Route } from '../call/route.ts';
import { flag, list, object, opaque, text, word } from '../decode/shape.ts';
import { flagAt, isObject, listAt, mergedObject, objectAt, pointerStep, textAt } from '../protocol/json.ts';
import type { WireObject } from '../protocol/json.ts';
import { invalidValue } from '../protocol/refusal.ts';
import { DNS_SETTINGS, dnsSettingsBody } from './dns-settings.ts';
import { documentFamilyRoutes } from './document-family.ts';
import type { DocumentFamily, DocumentRow } from './document-family.ts';

/** The managed transforms by list, each with those that it cannot stand beside. */
const LISTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  managed_request_headers: {
    add_bot_protection_headers: [],
    add_client_certificate_headers: [],
    add_true_client_ip_headers: ['remove_visitor_ip_headers'],
    add_visitor_location_headers: [],
    add_waf_credential_check_status_header: [],
    remove_visitor_ip_headers: ['add_true_client_ip_headers'],
  },
  managed_response_headers: {
    add_security_headers: [],
    'remove_x-powered-by_header': [],
  },
};

const transforms = list(
  object(
    { id: text(), enabled: flag(), has_conflict: flag(), conflicts_with: list(text()) },
    { required: ['id', 'enabled'] },
  ),
);

/** The body of a change: those of each list that are to be switched. */
const transformsBody = object(
  { managed_request_headers: transforms, managed_response_headers: transforms },
  { some: 'any' },
);

/** Switches what a body names; what is stored is whether each is enabled, by id. */
function changeTransforms(before: WireObject, body: WireObject): WireObject {
  const switched = Object.entries(LISTS).flatMap(([name, known]) =>
    listAt(body, name)
      .filter(isObject)
      .map((item, index) => {
        const id = textAt(item, 'id') ?? '';
        if (!Object.hasOwn(known, id)) {
          throw invalidValue(id, `/${name}${pointerStep(index)}/id`, 'it is not a managed transform');
        }
        return [id, item['enabled']] as const;
      }),
  );
  return { ...before, ...Object.fromEntries(switched) };
}

/** Shows all managed transforms, and which are in conflict. */
function showTransforms(enabled: WireObject): WireObject {
  const isOn = (id: string): boolean => flagAt(enabled, id) === true;
  return Object.fromEntries(
    Object.entries(LISTS).map(([name, known]) => [
      name,
      Object.entries(known).map(([id, rivals]) => ({
        id,
        enabled: isOn(id),
        has_conflict: isOn(id) && rivals.some(isOn),
        ...(rivals.length === 0 ? {} : { conflicts_with: rivals }),
      })),
    ]),
  );
}

const blockOrNot = word('block', 'disabled', 'only_on_ad_pages');

/** The documents, as in the newest schema; defaults and permissions are partly assumed. */
const documents: readonly (DocumentFamily & DocumentRow)[] = [
  { ...DNS_SETTINGS, permission: 'DNS', writes: ['PATCH'], body: dnsSettingsBody },
  {
    ...DNS_SETTINGS,
    owner: 'account',
    permission: 'Account DNS Settings',
    writes: ['PATCH'],
    body: object({ zone_defaults: dnsSettingsBody }, { required: ['zone_defaults'] }),
    change: (before, body) => mergedObject(before, objectAt(body, 'zone_defaults') ?? {}),
    show: (zone_defaults) => ({ zone_defaults }),
  },
  {
    path: '/url_normalization',
    permission: 'Zone Settings',
    writes: ['PUT', 'DELETE'],
    body: object(
      { scope: word('incoming', 'both', 'none'), type: word('cloudflare', 'rfc3986') },
      { required: ['scope', 'type'] },
    ),
    standard: { scope: 'incoming', type: 'cloudflare' },
  },
  {
    path: '/managed_headers',
    permission: 'Managed headers',
    writes: ['PATCH', 'DELETE'],
    body: transformsBody,
    standard: {},
    change: changeTransforms,
    show: showTransforms,
  },
  {
    path: '/bot_management',
    permission: 'Bot Management',
    writes: ['PUT'],
    body: object({
      ai_bots_protection: blockOrNot,
      auto_update_model: flag(),
      bm_cookie_enabled: flag(),
      cf_robots_variant: word('off', 'policy_only'),
      content_bots_protection: word('block', 'disabled'),
      crawler_protection: word('enabled', 'disabled'),
      enable_js: flag(),
      fight_mode: flag(),
      is_robots_txt_managed: flag(),
      optimize_wordpress: flag(),
      sbfm_definitely_automated: word('allow', 'block', 'managed_challenge'),
      sbfm_likely_automated: word('allow', 'block', 'managed_challenge'),
      sbfm_static_resource_protection: flag(),
      sbfm_verified_bots: word('allow', 'block'),
      stale_zone_configuration: opaque,
      suppress_session_score: flag(),
      using_latest_model: opaque,
    }),
    standard: {
      ai_bots_protection: 'disabled',
      crawler_protection: 'disabled',
      enable_js: false,
      fight_mode: false,
      is_robots_txt_managed: false,
      using_latest_model: true,
    },
  },
  {
    path: '/leaked-credential-checks',
    permission: 'Zone WAF',
    writes: ['POST'],
    body: object({ enabled: flag() }),
    standard: { enabled: false },
  },
  {
    path: '/page_shield',
    permission: 'Page Shield',
    writes: ['PUT'],
    body: object({
      enabled: flag(),
      use_cloudflare_reporting_endpoint: flag(),
      use_connection_url_path: flag(),
      updated_at: text(),
    }),
    standard: {
      enabled: false,
      updated_at: '2026-01-01T00:00:00Z',
      use_cloudflare_reporting_endpoint: true,
      use_connection_url_path: false,
    },
    change: (before, body, call) => ({ ...mergedObject(before, body), updated_at: call.service.stamp() }),
  },
];

/** The routes of these documents. */
export const documentRoutes: readonly Route[] = documents.flatMap((row) =>
  documentFamilyRoutes(row, () => row),
);
