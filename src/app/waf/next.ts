import { nextCommand } from '../../migrate/index.ts';
import type { WafCheck, WafStanding } from '../../model/index.ts';

/** Returns the command that a zone's state asks for; null if nothing is left to do. */
export function wafNext(standing: WafStanding): string | null {
  return standing.kind === 'known' ? nextCommand(standing.status.state, standing.scope.name) : null;
}

/** Returns the command to run after a check; null if something prevents the migration, or nothing is left to do. */
export function wafNextAfterCheck({ standing, compatible, blockers }: WafCheck): string | null {
  if (standing.kind !== 'known' || blockers.length > 0) {
    return null;
  }
  const { state } = standing.status;
  const { name } = standing.scope;
  return compatible === true && state === 'start'
    ? `rulewright waf config ${name} --output zones/${name}-managed.yaml`
    : nextCommand(state, name);
}
