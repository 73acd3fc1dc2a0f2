import type { Tree } from './ast.ts';
import { checkArgumentValues } from './check/argument-values.ts';
import { finding } from './check/finding.ts';
import type { Finding } from './check/finding.ts';
import { checkLimits } from './check/limits.ts';
import { checkPlaces } from './check/places.ts';
import type { CheckContext, Rule } from './check/subject.ts';
import { takeInventory } from './check/take-inventory.ts';

const RULES: readonly Rule[] = [checkPlaces, checkLimits, checkArgumentValues];

/**
 * What the service refuses in a text that parses: fields in places that do not have them, limits, values of arguments
 * (`rules-language.md` 4). Of what `checkExpression` finds, the errors alone, and for less work.
 */
export function refusedParts(text: string, tree: Tree, context: CheckContext): readonly Finding[] {
  const subject = takeInventory(text, tree, context);
  const findings: Finding[] = [];
  for (const rule of RULES) {
    rule(subject, (code, remark) => findings.push(finding(code, remark)));
  }
  return findings.filter(({ severity }) => severity === 'error');
}
