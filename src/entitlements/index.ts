/**
 * What a plan level includes, for everybody who asks: the files before anything is read, and a plan of what is live.
 *
 * Promises: pure; one answer for the same rule and level, whoever asks.
 * Never: knows add-ons, which the service alone knows; so nothing here is an error.
 */
export { lacks } from './features.ts';
export type { FeatureUse } from './features.ts';
export { tooManyRules, tooManyRulesets } from './plan-limits.ts';
