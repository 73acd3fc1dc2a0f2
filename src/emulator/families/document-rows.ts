import { flag, list, object, text, word } from '../decode/body-shape.ts';
import { flagAt, isObject, listAt, mergedObject, pointerStep, textAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { invalidValue } from '../protocol/refusal.ts';
import { dnsSettingsFamilies } from './dns-settings.ts';
import { replaced } from './family.ts';
import type { Family } from './family.ts';

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
function switchedTransforms(before: WireObject, body: WireObject): WireObject {
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
export const documentFamilies: readonly Family[] = [
  ...dnsSettingsFamilies,
  {
    path: '/url_normalization',
    holds: 'document',
    access: ['Zone Settings'],
    writes: { PUT: mergedObject },
    deletes: true,
    body: object(
      { scope: word('incoming', 'both', 'none'), type: word('cloudflare', 'rfc3986') },
      { required: ['scope', 'type'] },
    ),
    standard: { scope: 'incoming', type: 'cloudflare' },
  },
  {
    path: '/managed_headers',
    holds: 'document',
    access: ['Managed headers'],
    writes: { PATCH: switchedTransforms },
    deletes: true,
    body: transformsBody,
    show: showTransforms,
  },
  {
    path: '/bot_management',
    holds: 'document',
    access: ['Bot Management'],
    writes: { PUT: mergedObject },
    ignores: ['stale_zone_configuration', 'using_latest_model'],
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
      suppress_session_score: flag(),
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
    holds: 'document',
    access: ['Zone WAF'],
    writes: { POST: mergedObject },
    body: object({ enabled: flag() }),
    standard: { enabled: false },
  },
  {
    // Where a zone looks for credentials that may have leaked, besides the usual places (newest schema).
    path: '/leaked-credential-checks/detections',
    holds: 'collection',
    noun: 'detection',
    access: ['Zone WAF'],
    writes: { POST: replaced, PUT: replaced },
    deletes: true,
    body: object({ username: text(), password: text() }),
  },
  {
    path: '/page_shield',
    holds: 'document',
    access: ['Page Shield'],
    writes: { PUT: mergedObject },
    ignores: ['updated_at'],
    body: object({
      enabled: flag(),
      use_cloudflare_reporting_endpoint: flag(),
      use_connection_url_path: flag(),
    }),
    standard: {
      enabled: false,
      updated_at: '2026-01-01T00:00:00Z',
      use_cloudflare_reporting_endpoint: true,
      use_connection_url_path: false,
    },
    fill: (settings, { stamp }) => ({ ...settings, updated_at: stamp }),
  },
];
