import { zoneFamilyPath, zoneObjectPath } from './paths.ts';
import type { WriteRequest } from './request.ts';

/** What an override may do with a group, a rule or an action (api.md 9.5). */
export type WafOverrideAction = 'challenge' | 'block' | 'simulate' | 'disable' | 'default';

/** The content of a URI-based override (api.md 9.5). */
export interface WafOverrideContent {
  readonly description?: string;
  /** Host and path without a scheme, with `*`; at least one. */
  readonly urls: readonly string[];
  /** The lower number wins; 0 unless given. */
  readonly priority?: number;
  /** By group id. */
  readonly groups?: Readonly<Record<string, WafOverrideAction>>;
  /** By rule id. */
  readonly rules?: Readonly<Record<string, WafOverrideAction>>;
  /** By action. */
  readonly rewriteAction?: Readonly<Partial<Record<WafOverrideAction, WafOverrideAction>>>;
  readonly paused?: boolean;
}

const FAMILY = 'firewall/waf/overrides';

/** POST of an override; groups or rules are required. */
export function createWafOverrideRequest(zoneId: string, content: WafOverrideContent): WriteRequest {
  return { method: 'POST', path: zoneFamilyPath(zoneId, FAMILY), body: wireOf(content) };
}

/** PUT of an override: its whole content; id, urls, rules and rewrite_action are required. */
export function updateWafOverrideRequest(
  zoneId: string,
  overrideId: string,
  content: WafOverrideContent,
): WriteRequest {
  return {
    method: 'PUT',
    path: zoneObjectPath(zoneId, FAMILY, overrideId),
    body: { id: overrideId, rules: {}, rewrite_action: {}, ...wireOf(content) },
  };
}

/** DELETE of an override. */
export function deleteWafOverrideRequest(zoneId: string, overrideId: string): WriteRequest {
  return { method: 'DELETE', path: zoneObjectPath(zoneId, FAMILY, overrideId) };
}

function wireOf({ rewriteAction, ...content }: WafOverrideContent): Readonly<Record<string, unknown>> {
  return { ...content, ...(rewriteAction === undefined ? {} : { rewrite_action: rewriteAction }) };
}
