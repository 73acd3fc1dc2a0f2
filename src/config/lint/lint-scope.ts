import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ScopeGroup } from '../project/desired-scope.ts';
import { ownershipOf } from '../project/desired-scope.ts';
import type { DeclaredRuleset } from '../project/scope-file.ts';
import type { Settings } from '../project/settings.ts';
import { lintEnterpriseClause } from './rules/enterprise-clause.ts';
import { lintNames } from './rules/names.ts';
import { lintOrder } from './rules/order.ts';
import { lintRateLimit } from './rules/rate-limit.ts';
import { lintSkips } from './rules/skips.ts';

/**
 * What is allowed in the files of a scope and still looks wrong. Only files without errors are worth it: of others it would say again
 * what follows from them.
 */
export function lintScope({ files }: ScopeGroup, settings: Settings): readonly Diagnostic[] {
  return files.flatMap(({ rulesets }) => rulesets).flatMap((ruleset) => lintRuleset(ruleset, settings));
}

function lintRuleset(ruleset: DeclaredRuleset, settings: Settings): readonly Diagnostic[] {
  const ownership = ownershipOf(ruleset, settings);
  return [
    ...lintNames(ruleset, ownership),
    ...lintOrder(ruleset),
    ...lintSkips(ruleset, ownership),
    ...ruleset.rules.flatMap((rule) => [
      ...lintRateLimit(ruleset, rule),
      ...lintEnterpriseClause(ruleset, rule),
    ]),
  ];
}
