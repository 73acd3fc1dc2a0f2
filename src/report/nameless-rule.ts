import type { RuleChange } from '../model/change.ts';
import { descriptionOf } from '../model/change.ts';
import { isNamed } from '../model/rule.ts';

/** What a rule that nobody named is told by beside its id, which its `ref` is then: its description. Empty for others. */
export function namelessText(change: RuleChange): string {
  return change.kind === 'add' || isNamed(change) ? '' : descriptionOf(change);
}
