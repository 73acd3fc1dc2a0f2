/**
 * The old firewall of a small blog with two lists: rules that wait to be converted (with priorities, one paused, a
 * shared filter, an allow, a bypass with products, one created together with its filter), old rate limits, page rules
 * that concern the zone's security, and a lockdown. All of it is within the quotas of the Pro plan.
 */
const blogFirewall: Readonly<Record<string, unknown>> = {
  firewall: { rules: 'two_lists' },
  filters: [
    { ref: 'FIL-office', description: 'The office', expression: 'ip.src in {203.0.113.0/24}' },
    {
      ref: 'FIL-login',
      description: 'Login and remote publishing',
      expression: 'http.request.uri.path in {"/login" "/xmlrpc"}',
    },
    {
      ref: 'FIL-comments',
      description: 'Comments posted by robots',
      expression: 'starts_with(http.request.uri.path, "/comments") and http.user_agent contains "bot"',
    },
    {
      ref: 'FIL-feed',
      description: 'Readers of the feed',
      expression: 'http.request.uri.path eq "/feed.xml"',
    },
    {
      ref: 'FIL-import',
      description: 'Used by nothing any more',
      expression: 'http.request.uri.path eq "/import"',
    },
    {
      description: 'Cameras of a known botnet',
      expression: 'http.user_agent contains "CamBot"',
      made_with_rule: true,
    },
    {
      description: 'Shared with another product',
      expression: 'ip.src in {198.51.100.0/24}',
      used_elsewhere: 1,
    },
  ],
  firewall_rules: [
    {
      ref: 'challenge-login',
      description: 'Challenge logins',
      action: 'managed_challenge',
      priority: 50,
      filter: { ref: 'FIL-login' },
    },
    { description: 'The office may pass', action: 'allow', priority: 10, filter: { ref: 'FIL-office' } },
    {
      description: 'No checks for the feed',
      action: 'bypass',
      products: ['waf', 'bic', 'securityLevel'],
      priority: 20,
      filter: { ref: 'FIL-feed' },
    },
    {
      description: 'No robots in the comments',
      action: 'block',
      filter: { ref: 'FIL-comments' },
    },
    {
      description: 'Logins closed, for emergencies',
      action: 'block',
      paused: true,
      priority: 40,
      filter: { ref: 'FIL-login' },
    },
    {
      action: 'block',
      filter: { expression: 'http.user_agent contains "CamBot"' },
    },
  ],
  rate_limits: [
    {
      description: 'Logins',
      match: {
        request: { methods: ['POST'], schemes: ['_ALL_'], url: 'blog.example/login' },
        response: { status: [401, 403], origin_traffic: true },
      },
      bypass: [{ name: 'url', value: 'blog.example/login/status' }],
      threshold: 5,
      period: 60,
      action: {
        mode: 'ban',
        timeout: 600,
        response: { content_type: 'application/json', body: '{"error":"too many logins"}' },
      },
    },
    {
      description: 'Search',
      match: { request: { url: '*blog.example/search*' } },
      threshold: 30,
      period: 60,
      action: { mode: 'challenge' },
      correlate: { by: 'nat' },
      disabled: true,
    },
  ],
  page_rules: [
    {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: 'blog.example/status*' } }],
      actions: [{ id: 'disable_security' }],
      priority: 2,
      status: 'active',
    },
    {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: 'blog.example/editor/*' } }],
      actions: [{ id: 'waf', value: 'off' }],
      priority: 1,
      status: 'active',
    },
  ],
  lockdowns: [
    {
      description: 'The editor is for the office',
      urls: ['blog.example/editor/*'],
      configurations: [
        { target: 'ip', value: '198.51.100.4' },
        { target: 'ip_range', value: '203.0.113.0/24' },
      ],
    },
  ],
};

/**
 * The default seed: a shop with one account and three zones. The first zone is Enterprise and already migrated, without
 * redirect and origin rules. Rules made in the dashboard have their id as ref, others have readable refs; one entry
 * point is empty.
 */
export const shopSeed: unknown = {
  version: 1,
  email: 'owner@shop.example',
  accounts: [
    {
      name: 'Example Shop',
      plan: 'enterprise',
      features: [
        'account_rulesets',
        'advanced_rate_limiting',
        'application_security',
        'magic_transit',
        'network_ddos',
      ],
      lists: [
        {
          name: 'office_networks',
          kind: 'ip',
          description: 'Where we work',
          items: [{ ip: '203.0.113.0/24', comment: 'Head office' }, { ip: '2001:db8::/32' }],
        },
      ],
      rulesets: [
        {
          name: 'Known bad clients',
          kind: 'custom',
          phase: 'http_request_firewall_custom',
          description: 'Clients that no shop of ours wants to see',
          rules: [
            {
              ref: 'bad-crawlers',
              description: 'Crawlers that ignore robots.txt',
              expression: 'http.user_agent contains "BadCrawler"',
              action: 'block',
            },
            {
              description: 'Requests without a user agent',
              expression: 'http.user_agent eq ""',
              action: 'managed_challenge',
            },
          ],
        },
        {
          kind: 'root',
          phase: 'http_request_firewall_custom',
          name: 'default',
          rules: [
            {
              ref: 'run-known-bad-clients',
              description: 'Known bad clients, everywhere',
              expression: '(http.request.uri.path ne "/robots.txt") and cf.zone.plan eq "ENT"',
              action: 'execute',
              action_parameters: { id: 'custom:Known bad clients' },
            },
          ],
        },
      ],
    },
  ],
  zones: [
    {
      name: 'shop.example',
      account: 'Example Shop',
      plan: 'enterprise',
      features: ['advanced_ddos', 'bot_management'],
      waf_migration: { state: 'complete', created: '2022-09-19T10:00:00Z' },
      rulesets: [
        {
          kind: 'zone',
          phase: 'http_request_firewall_custom',
          version: '4',
          rules: [
            {
              description: 'Partners may pass',
              expression: 'ip.src in {192.0.2.0/24 198.51.100.7}',
              action: 'skip',
              action_parameters: { ruleset: 'current' },
            },
            {
              ref: 'block-admin',
              description: 'Admin only from the office',
              expression: 'starts_with(http.request.uri.path, "/admin") and not ip.src in {203.0.113.0/24}',
              action: 'block',
            },
            {
              description: 'Slow down scrapers',
              expression: 'http.request.uri.path contains "/catalog" and cf.bot_management.score lt 20',
              action: 'managed_challenge',
            },
          ],
        },
        {
          kind: 'zone',
          phase: 'http_ratelimit',
          version: '2',
          rules: [
            {
              ref: 'login-attempts',
              description: 'Five logins a minute',
              expression: 'http.request.uri.path eq "/login" and http.request.method eq "POST"',
              action: 'block',
              ratelimit: {
                characteristics: ['ip.src', 'cf.colo.id'],
                period: 60,
                requests_per_period: 5,
                mitigation_timeout: 600,
              },
            },
          ],
        },
        {
          kind: 'zone',
          phase: 'http_request_firewall_managed',
          version: '3',
          rules: [
            {
              description: 'Cloudflare Managed Ruleset',
              expression: 'true',
              action: 'execute',
              action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
            },
            {
              description: 'OWASP Core Ruleset',
              expression: 'true',
              action: 'execute',
              action_parameters: {
                id: '4814384a9e5d4991b9815dcfc25d2f1f',
                overrides: {
                  categories: [
                    { category: 'paranoia-level-3', enabled: false },
                    { category: 'paranoia-level-4', enabled: false },
                  ],
                },
              },
            },
          ],
        },
        {
          kind: 'zone',
          phase: 'http_request_cache_settings',
          rules: [
            {
              ref: 'cache-images',
              description: 'Images for a day',
              expression: 'http.request.uri.path.extension in {"jpg" "png" "webp"}',
              action: 'set_cache_settings',
              action_parameters: { cache: true, edge_ttl: { mode: 'override_origin', default: 86_400 } },
            },
            {
              description: 'Never cache the basket',
              expression: 'starts_with(http.request.uri.path, "/basket")',
              action: 'set_cache_settings',
              action_parameters: { cache: false },
            },
          ],
        },
      ],
    },
    {
      name: 'blog.example',
      account: 'Example Shop',
      plan: 'pro',
      waf_migration: { state: 'start', created: '2022-09-19T10:00:00Z' },
      ...blogFirewall,
      rulesets: [
        {
          kind: 'zone',
          phase: 'http_request_dynamic_redirect',
          rules: [
            {
              description: 'Old feed address',
              expression: 'http.request.uri.path eq "/rss"',
              action: 'redirect',
              action_parameters: {
                from_value: {
                  target_url: { value: 'https://blog.example/feed.xml' },
                  status_code: 301,
                  preserve_query_string: false,
                },
              },
            },
          ],
        },
        {
          kind: 'zone',
          phase: 'http_config_settings',
          rules: [
            {
              ref: 'no-rocket-loader-in-editor',
              description: 'The editor breaks with Rocket Loader',
              expression: 'starts_with(http.request.uri.path, "/editor")',
              action: 'set_config',
              action_parameters: { rocket_loader: false },
            },
          ],
        },
      ],
    },
    {
      name: 'api.example',
      account: 'Example Shop',
      plan: 'business',
      waf: {
        packages: { 'OWASP ModSecurity Core Rule Set': { sensitivity: 'medium', action_mode: 'simulate' } },
        groups: { 'Cloudflare Joomla': 'off' },
        rules: { '100007': 'disable', '100203': 'challenge', WP0002: 'simulate' },
        overrides: [
          {
            description: 'The upload form sends what looks like an attack',
            urls: ['api.example/upload*'],
            rules: { '100203': 'disable' },
          },
        ],
      },
      waf_migration: { state: 'start', created: '2022-09-19T10:00:00Z' },
      rulesets: [
        {
          kind: 'zone',
          phase: 'http_request_firewall_custom',
          version: '9',
          rules: [
            {
              description: 'Only JSON clients',
              expression: 'not any(http.request.headers["accept"][*] contains "json")',
              action: 'block',
            },
            {
              ref: 'challenge-unknown-networks',
              description: 'Hosting networks',
              expression: 'ip.src.asnum in {64496 64497}',
              action: 'managed_challenge',
              enabled: false,
            },
          ],
        },
        {
          kind: 'zone',
          phase: 'http_request_late_transform',
          rules: [
            {
              ref: 'mark-edge',
              description: 'Tell the origin where the request came in',
              expression: 'true',
              action: 'rewrite',
              action_parameters: { headers: { 'X-Edge': { operation: 'set', value: 'yes' } } },
            },
          ],
        },
        { kind: 'zone', phase: 'http_request_transform', version: '2', rules: [] },
      ],
    },
  ],
};
