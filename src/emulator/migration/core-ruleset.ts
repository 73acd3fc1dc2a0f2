import type { JsonObject } from '../protocol/json.ts';
import { wafPackages } from '../waf/catalogue.ts';
import type { OldWaf, Sensitivity } from '../records/old-waf.ts';
import { ACTIONS } from './managed-overrides.ts';

/** The core ruleset, and its last rule, which acts on the score (api.md 7.1, 7.2). */
export const CORE_RULESET = '4814384a9e5d4991b9815dcfc25d2f1f';
const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c';

const HIGHEST_LEVEL = 4;

/** The paranoia level and score threshold for each old sensitivity (specification 3.3; `default`: never set). */
const SENSITIVITIES: Readonly<
  Record<Exclude<Sensitivity, 'off'> | 'default', { readonly level: 1 | 2; readonly threshold: 25 | 40 }>
> = {
  high: { level: 2, threshold: 40 },
  medium: { level: 1, threshold: 25 },
  low: { level: 1, threshold: 40 },
  default: { level: 2, threshold: 40 },
};

/**
 * Returns the overrides of the core ruleset that take over the settings of the old package: paranoia level, score
 * threshold and action (specification 3.3, api.md 10.3). The package's groups and rules are not migrated. Undefined
 * when the package is off.
 */
export function coreOverrides(waf: OldWaf): JsonObject | undefined {
  const core = wafPackages.find(({ row }) => row.detection === 'anomaly');
  const { sensitivity = 'default', action_mode = 'challenge' } = waf.packages[core?.id ?? ''] ?? {};
  if (sensitivity === 'off') {
    return undefined;
  }
  const { level, threshold } = SENSITIVITIES[sensitivity];
  const disabled = Array.from({ length: HIGHEST_LEVEL - level }, (_, index) => level + 1 + index);
  return {
    categories: disabled.map((each) => ({ category: `paranoia-level-${each}`, enabled: false })),
    rules: [{ id: SCORE_RULE, action: ACTIONS[action_mode], score_threshold: threshold }],
  };
}
