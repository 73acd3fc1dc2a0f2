import { shortened } from '../../text/index.ts';

/** Products of tools that stand behind the name of a library in a user agent. */
const TOOLS =
  /\b(?:terraform-provider-cloudflare|pulumi|octodns|octorules|dnscontrol|wrangler|flarectl|cf-terraforming|rulewright)\b(?:\/[\w.+-]+)?/iu;

const MOST = 40;

/** Returns what a client calls itself, in brief: the tool in its user agent, or the first product there; "" for none. */
export function claimOf(userAgent: string): string {
  const [tool = userAgent.trim().split(/\s+/u, 1)[0] ?? ''] = TOOLS.exec(userAgent) ?? [];
  return shortened(tool, MOST);
}
