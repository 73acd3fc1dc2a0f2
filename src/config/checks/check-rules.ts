import type { Diagnostic } from '../../model/index.ts';
import { scopeLabel } from '../../model/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { memoiseWeakly } from '../../data/index.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import type { Settings } from '../project/project-settings.ts';
import { windowsOf } from '../project/rule-window.ts';

/** Checks the rules of a ruleset one by one. `name` is that of the check: what one finds says nothing of another. */
export type RulesChecker = (
  name: 'checks' | 'lint',
  ruleset: DeclaredRuleset,
  settings: Settings,
  check: (rule: DeclaredRule) => readonly Diagnostic[],
) => readonly Diagnostic[];

/** Checks each rule. */
export const checkEachRule: RulesChecker = (_name, { rules }, _settings, check) => rules.flatMap(check);

/**
 * Creates a checker for a program that checks the same rules again and again: one in which nothing was found is not checked a second time for the
 * same scope, phase and kind of ruleset. A rule is known by its value, which is the same object as long as its text is, unless variables were put in.
 * What is found has places, which other rules of the file can move, so that findings are always made anew.
 */
export function createCleanRules(): RulesChecker {
  const cleanBy = memoiseWeakly((_settings: Settings) =>
    memoiseWeakly((_rule: JsonObject): Set<string> => new Set()),
  );
  return (name, ruleset, settings, check) => {
    const { scope, address, rules } = ruleset;
    const cleanOf = cleanBy(settings);
    const as = `${name} ${address.kind} ${address.phase} ${scopeLabel(scope)}`;
    return rules.flatMap((rule) => {
      if (windowsOf(ruleset, rule).length > 0) {
        return check(rule);
      }
      const clean = cleanOf(rule.value);
      const findings = clean.has(as) ? [] : check(rule);
      if (findings.length === 0) {
        clean.add(as);
      }
      return findings;
    });
  };
}
