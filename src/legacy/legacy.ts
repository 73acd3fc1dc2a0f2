import type { Extension } from '../app/index.ts';
import type { CommandTable } from '../cli/index.ts';
import { deprecationsCommands } from './deprecations/deprecations-commands.ts';
import { firewallCommands } from './firewall/firewall-commands.ts';
import { rateLimitCommands } from './rate-limits/rate-limit-commands.ts';
import { wafCommands } from './waf/waf-commands.ts';

/** The commands, as help lists them. */
export const legacyCommands: CommandTable = {
  firewall: { target: firewallCommands, output: 'report' },
  ratelimits: { target: rateLimitCommands, output: 'report' },
  waf: { target: wafCommands, output: 'report' },
  deprecations: { target: deprecationsCommands, output: 'all' },
};

/** What plans and explanations ask; loaded when it is asked. */
export const legacy: Extension = {
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
