import { nextCommand } from '../../migrate/waf-fit.ts';
import type { WafCheck, WafStanding } from '../../model/waf-migration.ts';

/** The command that a zone's state asks for; null where nothing is left to do. */
export function wafNext(standing: WafStanding): string | null {
  return standing.kind === 'known' ? nextCommand(standing.status.state, standing.scope.name) : null;
}

/** The command that comes after a check. */
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
