import { phaseFacts } from '../../model/index.ts';
import type { FieldGroup } from '../../model/index.ts';

/** What a text is used for: a rule's filter, a value that a rewrite or redirect computes, or what a rate limit counts. */
export type Use = 'filter' | 'value' | 'counting';

/** A part of the service to which fields and functions are bound: phases that have their group, or the rulesets of accounts. */
export type ExpressionPlace = FieldGroup | 'account';

/** The facts of a place; which phases it has stands in the table of phases. */
export interface PlaceFacts {
  /** Where the place is, in words for messages. */
  readonly where: string;
  /** Whether every phase has it, but for those that say so. */
  readonly isUsual?: boolean;
  /** Whether the service refuses it elsewhere for certain. */
  readonly isCertain?: boolean;
  /** Whether only computed values may use it, and conditions only in phases that say so. */
  readonly valueOnly?: boolean;
  /** Whether rate limits may count by it. */
  readonly counting?: boolean;
}

/**
 * The places that fields and functions are bound to (`rules-language.md` 4.1). The service's documentation states places by product; its
 * changelogs show some used more widely.
 */
export const PLACES: Readonly<Record<ExpressionPlace, PlaceFacts>> = {
  response: { where: 'response phases and counting expressions', counting: true, isCertain: true },
  answered: { where: 'response phases and counting expressions', counting: true },
  scored: { where: 'later phases: URL rewrites run before it is known', isUsual: true },
  split: { where: 'response phases' },
  'response-error': { where: 'response header transforms and custom errors' },
  packet: { where: 'Network Firewall phases', isCertain: true },
  transform: { where: 'transform rules' },
  'header-transform': { where: 'header transform rules' },
  rewrite: { where: 'values of transform rules', valueOnly: true },
  'rewrite-redirect': { where: 'values of transform rules and redirects', valueOnly: true },
  'url-rewrite-redirect': { where: 'values of URL rewrites and redirects', valueOnly: true },
  'transform-custom-error': { where: 'transform rules, custom rules and custom errors' },
  'transform-custom-ratelimit': { where: 'transform rules, custom rules and rate limiting rules' },
  'custom-ratelimit': { where: 'custom rules and rate limiting rules' },
  'custom-ratelimit-header': { where: 'custom rules, rate limiting rules and request header transforms' },
  body: { where: 'WAF, rate limiting, request header and custom error phases' },
  jwt: { where: 'JWT validation rules of API Shield' },
  account: { where: 'rulesets of an account' },
};

/** Whether a name is that of a place. */
export function isPlace(name: string): name is ExpressionPlace {
  return Object.hasOwn(PLACES, name);
}

/** Whether a phase has what is bound to a place; of a phase that is not known, nothing is ruled out. */
export function hasPlace(phase: string, place: FieldGroup): boolean {
  const facts = phaseFacts(phase);
  return (
    facts === undefined ||
    (PLACES[place].isUsual === true
      ? facts.withoutFields?.includes(place) !== true
      : facts.fields?.includes(place) === true)
  );
}

/** Whether conditions in a phase may use what elsewhere belongs in computed values. */
export function inConditionsOf(phase: string | undefined, place: FieldGroup): boolean {
  return phaseFacts(phase)?.fieldsInConditions?.includes(place) === true;
}

/**
 * Whether a phase is about packets. In such a phase `ip.geoip.country` matches source or destination, so that no single current field means
 * the same (`rules-language.md` 4.2).
 */
export function isNetworkPhase(phase: string): boolean {
  const facts = phaseFacts(phase);
  // Names of packet phases that are not known begin like this.
  return facts === undefined ? /^(?:magic_transit|mt)_/u.test(phase) : facts.stage === 'network';
}
