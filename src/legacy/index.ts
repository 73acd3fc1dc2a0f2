/**
 * All that serves what the service retires: firewall rules and filters, rate limits, page rules, the old WAF, and the search for uses of anything deprecated. For
 * each its requests, its conversion with the proof that old and new rules do the same, its commands and its reports. When the service has switched
 * these interfaces off, this folder goes, with one line of `src/extensions.ts`.
 *
 * Promises: conversions are pure, and name what they cannot carry over; nothing is deleted before what replaces it is live and proven to do the same,
 * and then one object at a time, with a journal; a step of the WAF migration is sent once.
 * Never: is imported by anything but `src/extensions.ts`. What commands, plans and explanations take from it, it hands over as values.
 */
export { legacy, legacyCommands } from './legacy.ts';
