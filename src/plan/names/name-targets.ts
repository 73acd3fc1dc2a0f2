import type { RuleContent } from '../../model/rule.ts';
import type { LiveRulesetHead } from '../../model/ruleset.ts';
import { slug } from '../../model/slug.ts';
import { resolveExecute, resolveSkip } from './resolve-targets.ts';

/**
 * The way back from `resolveTargets`: content with `managed:<slug>` and `custom:<slug>` in the place of ids, wherever that name leads
 * to just this ruleset again.
 */
export function nameTargets(
  content: RuleContent,
  phase: string,
  catalogue: readonly LiveRulesetHead[],
): RuleContent {
  const parameters = content.action_parameters;
  if (parameters === undefined) {
    return content;
  }
  const name = (id: string, inPhase: string | undefined): string => {
    const visible = catalogue.filter((head) => inPhase === undefined || head.phase === inPhase);
    const head = visible.find((one) => one.id === id);
    if (head === undefined || (head.kind !== 'managed' && head.kind !== 'custom')) {
      return id;
    }
    const short = slug(head.name);
    const bearers = visible.filter((one) => one.kind === head.kind && slug(one.name) === short);
    return short === '' || bearers.length > 1 ? id : `${head.kind}:${short}`;
  };
  if (content.action === 'execute') {
    return { ...content, action_parameters: resolveExecute(parameters, (id) => name(id, phase)) };
  }
  return content.action === 'skip'
    ? { ...content, action_parameters: resolveSkip(parameters, (id) => name(id, undefined)) }
    : content;
}
