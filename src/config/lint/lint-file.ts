import type { Diagnostic } from '../../model/diagnostic.ts';
import { ownershipOf } from '../project/desired-scope.ts';
import type { DeclaredRuleset, ScopeFile } from '../project/scope-file.ts';
import type { Settings } from '../project/settings.ts';
import { lintCutTexts } from './rules/cut-texts.ts';
import { lintLookAlikes } from './rules/look-alikes.ts';
import { lintLowLimit } from './rules/low-limit.ts';
import { lintNames } from './rules/names.ts';
import { lintOrder } from './rules/order.ts';
import { lintLogRules, lintParameters } from './rules/parameters.ts';
import { lintRateLimit } from './rules/rate-limit.ts';
import { lintRedirectTarget } from './rules/redirect-target.ts';
import { lintSecrets } from './rules/secrets.ts';
import { lintSkips } from './rules/skips.ts';

/**
 * Returns what a file is allowed to say and still looks wrong. Only for files without errors: in others it would repeat what follows from an
 * error.
 */
export function lintFile({ rulesets }: ScopeFile, settings: Settings): readonly Diagnostic[] {
  return rulesets.flatMap((ruleset) => lintRuleset(ruleset, settings));
}

function lintRuleset(ruleset: DeclaredRuleset, settings: Settings): readonly Diagnostic[] {
  const ownership = ownershipOf(ruleset, settings);
  return [
    ...lintNames(ruleset, ownership),
    ...lintOrder(ruleset),
    ...lintSkips(ruleset, ownership),
    ...lintLogRules(ruleset),
    ...ruleset.rules.flatMap((rule) => [
      ...lintRateLimit(ruleset, rule),
      ...lintLowLimit(ruleset, rule),
      ...lintLookAlikes(ruleset, rule),
      ...lintCutTexts(ruleset, rule),
      ...lintSecrets(ruleset, rule),
      ...lintParameters(ruleset, rule),
      ...lintRedirectTarget(ruleset, rule),
    ]),
  ];
}
