import { KNOWN_ACTION_PARAMETERS } from './generated/known-fields.ts';

/** Whether this version knows what an action does. The service may have newer actions, about which nothing can be proven. */
export function isKnownAction(action: string): boolean {
  return KNOWN_ACTION_PARAMETERS.has(action);
}
