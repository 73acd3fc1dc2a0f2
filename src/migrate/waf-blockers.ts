import { counted } from '../text/index.ts';
import type { WafBlocker, WafOverrideView } from '../model/index.ts';
import { MAX_EXPRESSION_LENGTH, MAX_RULES } from './support-limits.ts';

/** What decides whether a zone is eligible; null where it could not be read. */
export interface WafReadings {
  readonly zone: string;
  readonly compatible: boolean;
  readonly overrides: readonly WafOverrideView[] | null;
  /** Expressions of the active firewall rules that bypass the managed rules. */
  readonly bypasses: readonly string[] | null;
}

/** Returns what keeps a zone from migrating, each with its remedy (specification 3.1 rule 4, 3.2, 7.5). */
export function blockersOf({ zone, compatible, overrides, bypasses }: WafReadings): readonly WafBlocker[] {
  const count = overrides?.length ?? 0;
  const long = (bypasses ?? []).filter(
    (text) => new TextEncoder().encode(text).length > MAX_EXPRESSION_LENGTH,
  );
  const found: readonly WafBlocker[] = [
    ...(count > 0
      ? [
          {
            kind: 'overrides',
            message: `${counted(count, 'URI-based override')} of the old WAF`,
            remedy: `note what they do, then rulewright waf remove-overrides ${zone}; skip rules can do the same afterwards`,
          } as const,
        ]
      : []),
    ...((bypasses?.length ?? 0) > MAX_RULES
      ? [
          {
            kind: 'many-rules',
            message: `${bypasses?.length ?? 0} firewall rules to carry over, more than ${MAX_RULES}`,
            remedy: 'delete those that are not needed, or ask the support of the service',
          } as const,
        ]
      : []),
    ...(long.length > 0
      ? [
          {
            kind: 'long-expressions',
            message: `${counted(long.length, 'firewall rule has an expression', 'firewall rules have expressions')} over 4 KB`,
            remedy: 'shorten them, for example with a list, or ask the support of the service',
          } as const,
        ]
      : []),
  ];
  return compatible || found.length > 0
    ? found
    : [
        {
          kind: 'unknown',
          message: 'the service calls the zone not eligible and does not say why',
          remedy: 'look at the zone in the dashboard, or ask the support of the service',
        },
      ];
}
