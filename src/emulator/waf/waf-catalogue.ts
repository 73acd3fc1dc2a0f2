import { namedId } from '../environment/service-clock.ts';

/** The modes of traditional rules that act on what they match (api.md 9.4). */
export type DenyMode = 'default' | 'disable' | 'simulate' | 'block' | 'challenge';

/**
 * A rule of the old WAF. A traditional rule that denies (`standard` is what its mode `default` means) has its
 * counterpart, with the same description, among the new managed rules.
 */
type RuleRow =
  | {
      readonly kind: 'deny';
      readonly id: string;
      readonly description: string;
      readonly standard: Exclude<DenyMode, 'default'>;
    }
  | { readonly kind: 'allow'; readonly id: string; readonly description: string }
  | { readonly kind: 'anomaly'; readonly id: string; readonly description: string };

/** A group of rules; by default every group is on. */
interface GroupRow {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly RuleRow[];
}

/** A package: its rules act each on its own (traditional), or add up to a score (anomaly). */
interface PackageRow {
  readonly name: string;
  readonly description: string;
  readonly detection: 'traditional' | 'anomaly';
  readonly groups: readonly GroupRow[];
}

/** The packages of every zone with the old WAF: the vendor's package and the core rule set; groups and rules are synthetic. */
const packageRows: readonly PackageRow[] = [
  {
    name: 'CloudFlare',
    description: 'Contains rules to stop attacks commonly seen on the network and in popular applications',
    detection: 'traditional',
    groups: [
      {
        name: 'Cloudflare Specials',
        description: 'Rules for vulnerabilities that are being attacked now',
        rules: [
          { kind: 'allow', id: '100001', description: 'Known good search engine bots' },
          deny('100015', 'Anomaly:Header:User-Agent - Fake Bing or MSN Bot', 'disable'),
          deny('100173', 'Generic - Cross-site scripting in the body', 'simulate'),
          deny('100203', 'Generic - SQL injection in the query', 'block'),
          deny('100515', 'Log4j - Remote code execution - CVE:CVE-2021-44228', 'block'),
        ],
      },
      {
        name: 'Cloudflare Apache',
        description: 'Rules for the Apache web server and its frameworks',
        rules: [deny('100007', 'Apache Struts - Open Redirect - CVE:CVE-2013-2248', 'simulate')],
      },
      {
        name: 'Cloudflare WordPress',
        description: 'Rules for sites that run WordPress',
        rules: [
          deny('WP0001', 'Wordpress - Broken Access Control', 'block'),
          deny('WP0002', 'Wordpress - Denial of service through xmlrpc', 'block'),
        ],
      },
      {
        name: 'Cloudflare Drupal',
        description: 'Rules for sites that run Drupal',
        rules: [deny('D0003', 'Drupal - Remote code execution - CVE:CVE-2018-7600', 'block')],
      },
      {
        name: 'Cloudflare Joomla',
        description: 'Rules for sites that run Joomla',
        rules: [
          deny('J0001', 'Joomla - SQL injection - CVE:CVE-2017-8917', 'block'),
          deny('J0002', 'Joomla - Anomaly in the user agent', 'simulate'),
        ],
      },
      {
        name: 'Cloudflare Php',
        description: 'Rules for sites that run PHP',
        rules: [deny('PHP001', 'PHP - Code injection', 'challenge')],
      },
    ],
  },
  {
    name: 'OWASP ModSecurity Core Rule Set',
    description: 'Covers OWASP Top 10 vulnerabilities, and more.',
    detection: 'anomaly',
    groups: [
      {
        name: 'OWASP SQL Injection Attacks',
        description: 'Attempts to send SQL to the database',
        rules: [
          anomaly('950901', 'SQL tautologies in the request'),
          anomaly('981231', 'SQL comment sequences'),
        ],
      },
      {
        name: 'OWASP XSS Attacks',
        description: 'Attempts to run script in the browsers of others',
        rules: [anomaly('973300', 'HTML tag handlers'), anomaly('958001', 'document.cookie in the request')],
      },
      {
        name: 'OWASP Protocol Violations',
        description: 'Requests that the protocol does not allow',
        rules: [anomaly('960011', 'GET or HEAD with a body')],
      },
    ],
  },
];

function deny(id: string, description: string, standard: Exclude<DenyMode, 'default'>): RuleRow {
  return { kind: 'deny', id, description, standard };
}

function anomaly(id: string, description: string): RuleRow {
  return { kind: 'anomaly', id, description };
}

/** A rule with its place in the catalogue, which never changes. */
export interface WafRule {
  readonly row: RuleRow;
  /** The rule's number within its package, from 1; answers show it as text. */
  readonly priority: number;
  readonly group: WafGroup;
}

/** A group with its package. */
export interface WafGroup {
  readonly id: string;
  readonly row: GroupRow;
  readonly package: WafPackage;
}

/** A package with its groups and rules. */
export interface WafPackage {
  readonly id: string;
  readonly row: PackageRow;
  readonly groups: readonly WafGroup[];
  readonly rules: readonly WafRule[];
}

/** The packages of every zone that has the old WAF; ids are derived from the names. */
export const wafPackages: readonly WafPackage[] = packageRows.map(buildPackage);

/** Finds a package by its id. */
export function packageOf(id: string): WafPackage | undefined {
  return wafPackages.find((each) => each.id === id);
}

function buildPackage(row: PackageRow): WafPackage {
  const groups: WafGroup[] = [];
  const rules: WafRule[] = [];
  const built: WafPackage = { id: namedId('waf package', row.name), row, groups, rules };
  for (const groupRow of row.groups) {
    const group = { id: namedId('waf group', row.name, groupRow.name), row: groupRow, package: built };
    groups.push(group);
    for (const rule of groupRow.rules) {
      rules.push({ row: rule, priority: rules.length + 1, group });
    }
  }
  return built;
}
