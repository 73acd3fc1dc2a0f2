import { managedWafRows } from './managed-waf-rows.ts';
import type { ManagedRuleRow, ManagedRow } from './managed-row.ts';

const LAST_UPDATED = '2025-12-09T15:21:33.412395Z';

/** All managed rulesets of the seed. */
export const managedRows: readonly ManagedRow[] = [
  ...managedWafRows,
  {
    id: '4d21379b4f9f4bb088e0729962c8b3cf',
    name: 'DDoS L7 ruleset',
    description: 'Automatic mitigation of HTTP-based DDoS attacks.',
    phase: 'ddos_l7',
    version: 2774,
    lastUpdated: LAST_UPDATED,
    rules: [
      ddos('HTTP requests from known botnets', ['gatebot'], 'ddos_dynamic'),
      ddos('HTTP requests with unusual headers or URI path', ['generic'], 'ddos_dynamic'),
      ddos('HTTP requests that cause a high number of origin errors', ['generic'], 'managed_challenge'),
      ddos('Adaptive protection by origin errors', ['advanced'], 'log'),
      ddos('HTTP requests with a suspicious user agent', ['generic'], 'block'),
      // The vendor's own tests override this rule and this category; what it finds is made up.
      {
        ...ddos('HTTP requests that a botnet spreads over many sources', ['botnets'], 'ddos_dynamic'),
        id: '8fc7efb08f984ced8d61b34b254da96a',
      },
    ],
  },
  {
    id: '3b64149bfa6e4220bbbc2bd6db589552',
    name: 'Cloudflare L3/4 DDoS Ruleset',
    description:
      'This is the Managed Cloudflare L3/4 DDoS Ruleset. Cloudflare routinely adds signatures to address new attack vectors. ' +
      'Additional configuration allows you to customize the sensitivity of each rule and the performed mitigation action.',
    phase: 'ddos_l4',
    version: 512,
    lastUpdated: LAST_UPDATED,
    rules: [
      ddos('Generic UDP flood', ['generic'], 'block'),
      ddos('SYN flood', ['generic'], 'block'),
      ddos('DNS amplification', ['gatebot'], 'block'),
    ],
  },
  {
    id: '70339d97bdb34195bbf054b1ebe81f76',
    name: 'Cloudflare Normalization Ruleset',
    description:
      'Created by the Cloudflare security team, this ruleset provides normalization on the URL path',
    phase: 'http_request_sanitize',
    version: 6,
    lastUpdated: LAST_UPDATED,
    rules: [
      {
        id: '78723a9e0c7c4c6dbec5684cb766231d',
        ref: '272936dc447b41fe976255ff6b768ec0',
        description: 'Normalization on the URL path, without propagating it to the origin',
        categories: [],
        action: 'rewrite',
        parameters: {
          uri: {
            path: { expression: 'normalize_url_path(raw.http.request.uri.path)' },
            origin: false,
          },
        },
      },
      {
        description: 'Normalization on the URL path, propagated to the origin',
        categories: [],
        action: 'rewrite',
        enabled: false,
        parameters: {
          uri: { path: { expression: 'normalize_url_path(raw.http.request.uri.path)' }, origin: true },
        },
      },
    ],
  },
];

function ddos(description: string, categories: readonly string[], action: string): ManagedRuleRow {
  return { description, categories, action };
}
