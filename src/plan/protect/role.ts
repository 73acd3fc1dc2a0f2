import type { RuleContent } from '../../model/rule.ts';
import { armed, bypassesCache, destinationOf } from './delivery.ts';
import { headerEffects } from './headers.ts';
import { settingEffects } from './settings.ts';

/**
 * What a rule is for, as far as protection goes: it protects, it lets something past protection, it does
 * both (or we cannot tell), or it does neither.
 */
export type Role = 'protects' | 'permits' | 'both' | 'none';

/** Actions that shape traffic and neither protect nor permit. */
const TRAFFIC: ReadonlySet<string> = new Set([
  'log',
  'redirect',
  'serve_error',
  'compress_response',
  'log_custom_field',
  'set_cache_control',
  'set_cache_tags',
]);

/** The role of a rule while it is enabled. */
export function roleOf(content: RuleContent): Role {
  const { action } = content;
  const parameters = content.action_parameters ?? {};
  if (stopsRequests(action) || action === 'execute') {
    return 'protects';
  }
  if (action === 'skip') {
    return 'permits';
  }
  if (TRAFFIC.has(action)) {
    return 'none';
  }
  switch (action) {
    case 'set_config':
      return joined(settingEffects(parameters));
    case 'rewrite':
      return joined(headerEffects(parameters));
    case 'set_cache_settings':
      return armed(parameters) || bypassesCache(parameters) ? 'protects' : 'none';
    case 'route':
      return destinationOf(parameters) === undefined ? 'none' : 'both';
    default:
      return 'both';
  }
}

function joined(effects: { readonly raises: boolean; readonly lowers: boolean }): Role {
  if (effects.raises) {
    return effects.lowers ? 'both' : 'protects';
  }
  return effects.lowers ? 'permits' : 'none';
}

/** How firmly an action stops a request, for actions that stop one; higher is firmer. */
const STRENGTH: ReadonlyMap<string, number> = new Map([
  ['block', 4],
  ['challenge', 3],
  ['managed_challenge', 2],
  ['js_challenge', 1],
  ['log', 0],
]);

/** Strength of an action from 0 (log) to 4 (block); nothing for actions that are about something else. */
export function strengthOf(action: string): number | undefined {
  return STRENGTH.get(action);
}

/** Whether an action ends the evaluation of its phase for a request that it stops (api.md 4.3). */
export function stopsRequests(action: string): boolean {
  return (strengthOf(action) ?? 0) > 0;
}
