import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { DeclaredRuleset } from '../../project/scope-file.ts';
import { lintUnreachable } from './unreachable.ts';

/** Reports what can be wrong with the order of a ruleset's rules (api.md 4.3, 4.4). */
export function lintOrder(ruleset: DeclaredRuleset): readonly Diagnostic[] {
  const enabled = ruleset.rules.filter(({ value }) => value['enabled'] !== false);
  return lintUnreachable(ruleset, enabled);
}
