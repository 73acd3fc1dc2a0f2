import type { Extension } from '../app/index.ts';
import type { CommandTable } from '../cli/index.ts';

/** The commands, as help lists them. */
export const legacyCommands: CommandTable = {
  firewall: {
    brief: 'Replace old firewall rules with custom rules',
    output: 'report',
    load: async () => (await import('./firewall/firewall-commands.ts')).firewallCommands,
  },
  ratelimits: {
    brief: 'Replace old rate limits with rate limiting rules',
    output: 'report',
    load: async () => (await import('./rate-limits/rate-limit-commands.ts')).rateLimitCommands,
  },
  pagerules: {
    brief: 'Replace page rules with the rules that took their place',
    output: 'report',
    load: async () => (await import('./page-rules/page-rule-commands.ts')).pageRuleCommands,
  },
  waf: {
    brief: 'Migrate a zone from the old WAF, step by step',
    output: 'report',
    load: async () => (await import('./waf/waf-commands.ts')).wafCommands,
  },
  deprecations: {
    brief: 'Show what the service retires, and where you use it',
    output: 'all',
    load: async () => (await import('./deprecations/deprecations-commands.ts')).deprecationsCommands,
  },
};

/** What plans and explanations ask; loaded when it is asked. */
export const legacy: Extension = {
  terraformTypes: new Map([
    ['cloudflare_filter', 'rulewright firewall'],
    ['cloudflare_firewall_rule', 'rulewright firewall'],
    ['cloudflare_rate_limit', 'rulewright ratelimits'],
    ['cloudflare_page_rule', 'rulewright pagerules'],
  ]),
  planGates: [
    {
      find: async (...plan) => (await import('./waf/waf-gate.ts')).findMigration(...plan),
      refuse: async (...plan) => (await import('./waf/waf-gate.ts')).refuseMigration(...plan),
      explain: async (outcome) => (await import('./waf/waf-gate.ts')).explainEnrollment(outcome),
    },
  ],
  ruleSources: [
    {
      old: 'firewall-rules',
      inForce: async (...zone) => (await import('./rule-sources.ts')).firewallRulesInForce(...zone),
    },
    {
      old: 'rate-limits',
      inForce: async (client, zone) => (await import('./rule-sources.ts')).rateLimitsInForce(client, zone),
    },
    {
      old: 'waf',
      inForce: async (client, zone) => (await import('./rule-sources.ts')).wafInForce(client, zone),
    },
  ],
};
