import type { LiveRulesetHead } from '../../model/ruleset.ts';
import type { Cause } from '../../model/source.ts';
import type { DesiredScope, LiveScope } from '../../model/state.ts';
import { deploymentOf } from '../overrides/explain-overrides.ts';
import { stepId } from '../plan-ruleset.ts';
import { resolveTargets } from '../names/resolve-targets.ts';
import type { Selector } from './selectors.ts';
import { selectorsOf } from './selectors.ts';

/** A rule of the files that executes a managed ruleset with overrides. */
export interface Deployment {
  readonly step: string;
  readonly rule: string;
  readonly cause: Cause;
  readonly managed: LiveRulesetHead;
  readonly selectors: readonly Selector[];
}

/** The deployments with overrides that the files of a scope declare, changed or not. */
export function deploymentsOf(
  desired: DesiredScope,
  { scope, catalogue }: Pick<LiveScope, 'scope' | 'catalogue'>,
): readonly Deployment[] {
  return desired.rulesets.flatMap(({ address, rules }) =>
    rules.flatMap(({ ref = '', content, cause }): readonly Deployment[] => {
      const resolved = resolveTargets(content, address.phase, { catalogue, created: [] }).content;
      const deployment = deploymentOf(resolved);
      const managed = catalogue.find(({ kind, id }) => kind === 'managed' && id === deployment?.id);
      if (deployment === null || managed === undefined) {
        return [];
      }
      const selectors = selectorsOf(deployment.overrides);
      return selectors.length === 0
        ? []
        : [{ step: stepId(scope, address), rule: ref, cause, managed, selectors }];
    }),
  );
}
