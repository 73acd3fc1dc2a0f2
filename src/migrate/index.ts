/**
 * Ways out of interfaces that the service retires, for `app`: conversions, and the proof that old and new rules do the same.
 *
 * Promises: pure; what is not proven to be replaced is named and kept.
 * Never: deletes anything.
 */
export { CUSTOM_PHASE, convertFirewall } from './firewall-conversion.ts';
export { checkEquivalence, worldsOf } from './firewall-equivalence.ts';
export { planFirewallRetirement } from './firewall-retire.ts';
export { convertedRef } from './firewall-rule.ts';
export { decideWorld } from './firewall-world.ts';
export type { World } from './firewall-world.ts';
export { RATE_LIMIT_PHASE, convertRateLimits } from './rate-limits-conversion.ts';
export { rateLimitRef } from './rate-limits-convert-rule.ts';
export { checkRateLimits } from './rate-limits-equivalence.ts';
export { planRateLimitRetirement } from './rate-limits-retire.ts';
export type { RetirementResult } from './retire-plan.ts';
export { blockersOf } from './waf-blockers.ts';
export { awaitsMigration, fitOf, nextCommand } from './waf-fit.ts';
export { planOverrideRemoval } from './waf-overrides-retire.ts';
export { configurationNotes, reviewedRules } from './waf-rules.ts';
export type { ReviewedRule } from './waf-rules.ts';
export { compareSettings } from './waf-settings.ts';
export type { OldPackage, OldSettings } from './waf-settings.ts';
