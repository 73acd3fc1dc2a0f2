import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ScopeGroup } from '../project/desired-scope.ts';
import { ownershipOf } from '../project/desired-scope.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import type { Settings } from '../project/settings.ts';
import { checkAction } from './check-action.ts';
import { checkDeclarations } from './check-declarations.ts';
import { checkDeprecated } from './check-deprecated.ts';
import { checkExpressions } from './check-expressions.ts';
import { checkParameters } from './check-parameters.ts';
import { checkRefs } from './check-refs.ts';
import { checkReferences, customRulesets } from './check-references.ts';
import type { ExpressionChecker } from './expression-checker.ts';

/** What the checks of a scope need beside its files. */
export interface CheckSettings {
  readonly settings: Settings;
  readonly checkExpression: ExpressionChecker;
}

/** All findings beyond the schema: in the scope as a whole, in each ruleset, in each rule. */
export function checkScope(
  group: ScopeGroup,
  { settings, checkExpression }: CheckSettings,
): readonly Diagnostic[] {
  const rulesets = group.files.flatMap((file) => file.rulesets);
  const custom = customRulesets(rulesets);
  const checkRule = (ruleset: DeclaredRuleset, rule: DeclaredRule): readonly Diagnostic[] => [
    ...checkAction(ruleset, rule),
    ...checkParameters(ruleset, rule),
    ...checkDeprecated(ruleset, rule),
    ...checkReferences(ruleset, rule, custom),
    ...checkExpressions(ruleset, rule, checkExpression),
  ];
  return [
    ...checkDeclarations(group),
    ...rulesets.flatMap((ruleset) => [
      ...checkRefs(ruleset, ownershipOf(ruleset, settings)),
      ...ruleset.rules.flatMap((rule) => checkRule(ruleset, rule)),
    ]),
  ];
}
