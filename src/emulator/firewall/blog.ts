/**
 * The old firewall of a small blog with two lists: rules that wait to be converted (with priorities, one paused, a
 * shared filter, an allow, a bypass with products, one created together with its filter), old rate limits, page rules
 * that concern the zone's security, and a lockdown. All of it is within the quotas of the Pro plan.
 */
export const blogFirewall: Readonly<Record<string, unknown>> = {
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
