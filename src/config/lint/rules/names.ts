import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { RuleOwnership } from '../../../model/ruleset.ts';
import { finding } from '../../source/finding.ts';
import type { DeclaredRuleset } from '../../project/scope-file.ts';
import { locateKey } from '../../yaml/yaml-document.ts';

/**
 * Reports rules without `ref` and `id`, once per ruleset: such rules are matched by their content, so that editing two of them at once becomes a
 * deletion and a new rule. Under ownership patterns, a missing `ref` is an error of its own.
 */
export function lintNames(ruleset: DeclaredRuleset, ownership: RuleOwnership): readonly Diagnostic[] {
  const nameless = ruleset.rules.filter(
    ({ value }) => value['ref'] === undefined && value['id'] === undefined,
  );
  const [first] = nameless;
  if (first === undefined || ownership.kind === 'patterns') {
    return [];
  }
  const more = nameless.length - 1;
  return [
    finding('lint/missing-ref', {
      message: `the rule has no \`ref\`${more === 0 ? '' : `, and ${more} more of this ruleset have none`}`,
      hint: 'give it a `ref`, so that it is recognised whatever changes in it, and keeps its id',
      where: locateKey(ruleset.document, first.path),
    }),
  ];
}
