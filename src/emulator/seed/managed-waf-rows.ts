import type { ManagedRow, ManagedRuleRow } from './managed-row.ts';

const LAST_UPDATED = '2025-12-09T15:21:33.412395Z';
const PAID = ['pro', 'business', 'enterprise'] as const;

type ShortRow = readonly [description: string, action: string, categories: string, id?: string];

/** Makes managed rules from short rows; a rule whose action starts with a minus is off by default. */
function rules(...rows: readonly ShortRow[]): readonly ManagedRuleRow[] {
  return rows.map(([description, action, categories, id]) => ({
    description,
    action: action.replace(/^-/u, ''),
    enabled: !action.startsWith('-'),
    categories: categories.split(' '),
    ...(id === undefined ? {} : { id }),
  }));
}

/** Makes a scoring rule of the core ruleset; `level` is the lowest paranoia level that includes the rule. */
function scoring(description: string, level: 1 | 2 | 3 | 4, tag: string, increment: number): ManagedRuleRow {
  return {
    description,
    action: 'score',
    parameters: { increment },
    categories: [`paranoia-level-${level}`, tag],
  };
}

/** The managed rulesets of the web application firewall (api.md 7.1 to 7.3). */
export const managedWafRows: readonly ManagedRow[] = [
  {
    id: 'efb7b8c949ac4650a09736fc376e9aee',
    name: 'Cloudflare Managed Ruleset',
    description:
      'Created by the Cloudflare security team, this ruleset is designed to provide fast and effective protection for all your applications.',
    phase: 'http_request_firewall_managed',
    version: 243,
    lastUpdated: LAST_UPDATED,
    plans: PAID,
    rules: [
      ...rules(
        [
          'Apache Struts - Open Redirect - CVE:CVE-2013-2248',
          'block',
          'apache cve-2013-2248 open-redirect',
          '23ee7cebe6e8443e99ecf932ab579455',
        ],
        [
          'Wordpress - Broken Access Control',
          'block',
          'broken-access-control wordpress',
          '5de7edfa648c4d6891dc3e7f84534ffa',
        ],
        [
          'Anomaly:Header:User-Agent - Fake Bing or MSN Bot',
          '-block',
          'anomaly dos',
          'ae20608d93b94e97988db1bbc12cf9c8',
        ],
        ['Wordpress - Denial of service through xmlrpc', 'block', 'dos wordpress'],
        ['Drupal - Remote code execution - CVE:CVE-2018-7600', 'block', 'cve-2018-7600 drupal rce'],
        ['Joomla - SQL injection - CVE:CVE-2017-8917', 'block', 'cve-2017-8917 joomla sqli'],
        ['Joomla - Anomaly in the user agent', '-log', 'anomaly joomla'],
        ['Magento - Cross-site scripting', 'block', 'magento xss'],
        ['PHP - Code injection', 'managed_challenge', 'code-injection php'],
        ['Generic - SQL injection in the query', 'block', 'sqli'],
        ['Generic - Cross-site scripting in the body', 'log', 'xss'],
        ['Log4j - Remote code execution - CVE:CVE-2021-44228', 'block', 'cve-2021-44228 log4j rce'],
      ),
      {
        id: 'd9e350f1b72d4730899c8a420e48a85d',
        ref: 'adb550873eb92d32372ed08514d33241',
        description: 'October CMS - File inclusion',
        action: 'block',
        categories: ['file-inclusion', 'october-cms'],
      },
    ],
  },
  {
    id: '4814384a9e5d4991b9815dcfc25d2f1f',
    name: 'Cloudflare OWASP Core Ruleset',
    description: "Cloudflare's implementation of the Open Web Application Security Project core ruleset.",
    phase: 'http_request_firewall_managed',
    version: 87,
    lastUpdated: LAST_UPDATED,
    plans: PAID,
    rules: [
      scoring('911100: Method is not allowed by policy', 1, 'attack-generic', 5),
      scoring('913100: Found user agent of a security scanner', 1, 'attack-reputation-scanner', 5),
      scoring('930110: Path traversal', 1, 'attack-lfi', 5),
      scoring('941100: Cross-site scripting detected', 1, 'attack-xss', 5),
      scoring('942100: SQL injection detected', 1, 'attack-sqli', 5),
      scoring('920200: Range with too many fields', 2, 'attack-protocol', 3),
      scoring('942150: SQL function names', 2, 'attack-sqli', 5),
      scoring('920272: Invalid character in request', 3, 'attack-protocol', 5),
      scoring('942251: HAVING injection', 3, 'attack-sqli', 5),
      scoring('920274: Invalid character in headers', 4, 'attack-protocol', 5),
      scoring('942421: Too many special characters in cookies', 4, 'attack-sqli', 3),
      // Rules that the vendor's own tests override and skip (api.md 9.9); what they find is made up.
      {
        ...scoring('944100: Java class name', 1, 'language-java', 5),
        id: '04116d14d7524986ba314d11c8a41e11',
      },
      { ...scoring('933100: PHP opening tag', 1, 'language-php', 5), id: '55b58c71f653446fa0942cf7700f8c8e' },
      { ...scoring('932100: Shell command', 1, 'language-shell', 5), id: '7683285d70b14023ac407b67eccbb280' },
      {
        id: '6179ae15870a4bb7b2d480d4843b323c',
        ref: 'ad0beb2fce9f149e565ee78d6e659d47',
        description: '949110: Inbound Anomaly Score Exceeded',
        action: 'block',
        scoreThreshold: 40,
        categories: ['attack-generic'],
      },
    ],
  },
  {
    id: 'c2e184081120413c86c3ab7e14069605',
    name: 'Cloudflare Exposed Credentials Check Ruleset',
    description: 'Exposed credentials check rules',
    phase: 'http_request_firewall_managed',
    version: 89,
    lastUpdated: LAST_UPDATED,
    plans: PAID,
    rules: rules(
      ['Wordpress - Exposed credentials', 'log', 'credential-stuffing wordpress'],
      ['Joomla - Exposed credentials', 'log', 'credential-stuffing joomla'],
      ['Drupal - Exposed credentials', 'log', 'credential-stuffing drupal'],
      ['Generic - Exposed credentials in a login form', 'log', 'credential-stuffing generic'],
    ),
  },
  {
    id: '77454fe2d30c4220b5701f6fdfb893ba',
    name: 'Cloudflare Managed Free Ruleset',
    description:
      'Created by the Cloudflare security team, this ruleset is designed to provide protection for free zones.',
    phase: 'http_request_firewall_managed',
    version: 60,
    lastUpdated: LAST_UPDATED,
    rules: rules(
      ['Log4j headers - CVE:CVE-2021-44228', 'block', 'cve-2021-44228 log4j rce'],
      ['Shellshock - CVE:CVE-2014-6271', 'block', 'cve-2014-6271 rce'],
      ['Wordpress - Comment spam', 'managed_challenge', 'wordpress'],
    ),
  },
  {
    id: 'e22d83c647c64a3eae91b71b499d988e',
    name: 'Cloudflare Sensitive Data Detection',
    description: 'Looks for personal and financial data in responses.',
    phase: 'http_response_firewall_managed',
    version: 111,
    lastUpdated: LAST_UPDATED,
    plans: ['enterprise'],
    rules: rules(
      ['Credit card numbers', 'log', 'financial pci'],
      ['API keys of cloud providers', 'log', 'secrets'],
      ['Social security numbers', '-log', 'pii'],
    ),
  },
  {
    id: 'a6905ff86d3844cebc1a88dd80c659e7',
    name: 'Bot Fight Mode for Likely Bots',
    description: '',
    phase: 'http_request_firewall_managed',
    version: 4,
    lastUpdated: '2021-07-01T16:59:14.386598Z',
    plans: PAID,
    rules: rules(['Likely bots', 'managed_challenge', 'bot']),
  },
  {
    id: '48ba18287c544bd7bdbe842a294f1ae2',
    name: 'Bot Fight Mode for Definite Bots',
    description: '',
    phase: 'http_request_firewall_managed',
    version: 4,
    lastUpdated: '2021-07-01T16:59:17.970712Z',
    plans: PAID,
    rules: rules(['Definite bots', 'block', 'bot']),
  },
];
