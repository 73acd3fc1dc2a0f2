/** The effect on protection: it protects; it lets something past protection; both, or it cannot be told; or neither. */
export type Role = 'protects' | 'permits' | 'both' | 'none';

/** Combines several roles into one. */
export function joined(roles: readonly Role[]): Role {
  const some = new Set(roles.filter((role) => role !== 'none'));
  return some.size > 1 ? 'both' : ([...some][0] ?? 'none');
}

/** How firmly an action stops requests; higher is firmer. */
const STRENGTH: ReadonlyMap<string, number> = new Map([
  ['block', 4],
  ['challenge', 3],
  ['managed_challenge', 2],
  ['js_challenge', 1],
  ['log', 0],
]);

/** Returns the strength of an action, from 0 (log) to 4 (block); undefined for actions that do not stop requests. */
export function strengthOf(action: string): number | undefined {
  return STRENGTH.get(action);
}

/** Whether an action ends the evaluation of its phase for a request that it stops (api.md 4.3). */
export function stopsRequests(action: string): boolean {
  return (strengthOf(action) ?? 0) > 0;
}

/** Whether an action decides which rules run next. */
export function directsRequests(action: string): boolean {
  return action === 'skip' || action === 'execute';
}
