import type { Diagnostic } from '../../model/index.ts';
import { ownershipOf } from '../project/desired-scope.ts';
import type { RulesChecker } from '../checks/check-rules.ts';
import type { DeclaredRuleset, ScopeFile } from '../project/scope-file.ts';
import type { Settings } from '../project/project-settings.ts';
import { withWindow } from '../project/rule-window.ts';
import { lintCutTexts, lintLookAlikes, lintNames, lintSecrets } from './lint-texts.ts';
import { lintLowLimit, lintLogRules, lintParameters, lintRateLimit } from './lint-parameters.ts';
import { lintForeignHosts } from './lint-hosts.ts';
import { lintRedirectLoops, lintRedirectTarget } from './lint-redirects.ts';
import { lintOrder, lintSkips } from './lint-order.ts';
import { lintSwitchedOff } from './lint-settings.ts';
import { lintOutlasting } from './lint-outlasting.ts';

/**
 * Returns what a file is allowed to say and still looks wrong. Only for files without errors: in others it would repeat what follows from an
 * error.
 */
export function lintFile(
  file: ScopeFile,
  settings: Settings,
  checkRules: RulesChecker,
): readonly Diagnostic[] {
  return [
    ...file.rulesets.flatMap((ruleset) => lintRuleset(ruleset, settings, checkRules)),
    ...lintSwitchedOff(file),
  ];
}

function lintRuleset(
  ruleset: DeclaredRuleset,
  settings: Settings,
  checkRules: RulesChecker,
): readonly Diagnostic[] {
  const ownership = ownershipOf(ruleset, settings);
  // What one rule takes from another depends on when it is active.
  const rules = ruleset.rules.map((rule) => withWindow(ruleset, rule, settings.timeZone));
  const whenActive = { ...ruleset, rules };
  return [
    ...lintNames(ruleset, ownership),
    ...lintOrder(whenActive),
    ...lintSkips(ruleset, ownership),
    ...lintLogRules(ruleset),
    ...lintRedirectLoops(whenActive),
    ...checkRules('lint', ruleset, settings, (rule) => [
      ...lintRateLimit(ruleset, rule),
      ...lintLowLimit(ruleset, rule),
      ...lintLookAlikes(ruleset, rule),
      ...lintCutTexts(ruleset, rule),
      ...lintSecrets(ruleset, rule),
      ...lintParameters(ruleset, rule),
      ...lintRedirectTarget(ruleset, rule),
      ...lintForeignHosts(ruleset, rule),
      ...lintOutlasting(ruleset, rule),
    ]),
  ];
}
