import type { Diagnostic } from '../../model/index.ts';
import type { ScopeGroup } from '../project/desired-scope.ts';
import { ownershipOf } from '../project/desired-scope.ts';
import type { DeclaredRule, DeclaredRuleset, ScopeFile } from '../project/scope-file.ts';
import type { Settings } from '../project/project-settings.ts';
import { checkAction, checkPhase } from './check-action.ts';
import { checkCharacteristics, checkPeriod } from './check-rate-limit.ts';
import { checkDeclarations } from './check-declarations.ts';
import { checkDeprecated, checkParameters } from './check-parameters.ts';
import { checkEnterpriseClause } from './check-enterprise-clause.ts';
import { checkExecutes, checkReferences } from './check-references.ts';
import { checkExpressions } from './check-expressions.ts';
import { checkPlanOfScope } from './check-plan-level.ts';
import { checkRefsAndIds, checkRepeats } from './check-refs.ts';
import { checkSensitive } from './check-sensitive.ts';
import { checkWindow } from './check-window.ts';
import type { RulesChecker } from './check-rules.ts';
import type { ExpressionChecker } from './expression-checker.ts';

/** What the checks of a file need besides the file. */
export interface CheckSettings {
  readonly settings: Settings;
  readonly checkExpression: ExpressionChecker;
  readonly checkRules: RulesChecker;
}

/** Returns all findings beyond the schema that a file has on its own, in its rulesets and rules. */
export function checkFile(
  { rulesets }: ScopeFile,
  { settings, checkExpression, checkRules }: CheckSettings,
): readonly Diagnostic[] {
  const checkRule = (ruleset: DeclaredRuleset, rule: DeclaredRule): readonly Diagnostic[] => [
    ...checkAction(ruleset, rule),
    ...checkParameters(ruleset, rule),
    ...checkRepeats(ruleset, rule),
    ...checkPeriod(ruleset, rule),
    ...checkCharacteristics(ruleset, rule),
    ...checkDeprecated(ruleset, rule),
    ...checkEnterpriseClause(ruleset, rule),
    ...checkExpressions(ruleset, rule, checkExpression),
    ...checkSensitive(ruleset, rule),
    ...checkWindow(ruleset, rule, settings),
  ];
  return rulesets.flatMap((ruleset) => [
    ...checkPhase(ruleset),
    ...checkRefsAndIds(ruleset, ownershipOf(ruleset, settings)),
    ...checkExecutes(ruleset),
    ...checkRules('checks', ruleset, settings, (rule) => checkRule(ruleset, rule)),
  ]);
}

/** Returns the findings that only the files of a scope together can show. */
export function checkScope(group: ScopeGroup): readonly Diagnostic[] {
  return [...checkDeclarations(group), ...checkReferences(group), ...checkPlanOfScope(group)];
}
