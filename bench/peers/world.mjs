// What all tools are measured on: zones with one ruleset of custom rules each, and what the files of a team want of them.
import { writeFile } from 'node:fs/promises';

export const PHASE = 'http_request_firewall_custom';

/** @param {number} zone */
export const zoneName = (zone) => `z${zone}.example`;

const ACTIONS = ['block', 'managed_challenge', 'log', 'js_challenge'];

/**
 * A rule as the interface has it; every one has a `ref`, which octorules demands and Terraform is better for.
 *
 * @param {number} zone
 * @param {number} index
 */
function rule(zone, index) {
  const action = ACTIONS[index % ACTIONS.length] ?? 'block';
  return {
    ref: `rule-${index}`,
    description: `Rule ${index}`,
    action,
    expression: `(http.host eq "host-${index}.${zoneName(zone)}" and starts_with(http.request.uri.path, "/path-${index}/") and ip.src in {192.0.2.0/24 198.51.100.${index % 256}})`,
    enabled: true,
  };
}

/**
 * The rules that are live at the start.
 *
 * @param {number} zone
 * @param {number} rules
 */
export const liveRules = (zone, rules) => Array.from({ length: rules }, (_, index) => rule(zone, index));

/**
 * What the files want after an ordinary change: a new rule at the top, and another condition in the last one.
 *
 * @param {number} zone
 * @param {number} rules
 */
export function editedRules(zone, rules) {
  const all = liveRules(zone, rules);
  const last = all[rules - 1];
  return [
    {
      ref: 'first',
      description: 'A new rule at the top',
      action: 'block',
      expression: `(http.request.uri.path eq "/new.${zoneName(zone)}")`,
      enabled: true,
    },
    ...all.slice(0, -1),
    { ...last, expression: '(http.request.uri.path eq "/changed")' },
  ];
}

/**
 * @typedef {object} Size
 * @property {number} zones
 * @property {number} rules
 */

/**
 * Writes the seed of the embedded service.
 *
 * @param {string} path
 * @param {Size} size
 */
export async function writeSeed(path, { zones, rules }) {
  const seed = {
    version: 1,
    accounts: [{ name: 'Acme', plan: 'enterprise' }],
    zones: Array.from({ length: zones }, (_, zone) => ({
      name: zoneName(zone),
      account: 'Acme',
      plan: 'enterprise',
      rulesets: [{ kind: 'zone', phase: PHASE, rules: liveRules(zone, rules) }],
    })),
  };
  await writeFile(path, JSON.stringify(seed));
}
