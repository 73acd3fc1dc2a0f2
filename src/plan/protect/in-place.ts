import type { RuleContent } from '../../model/rule.ts';
import { judgeAdded, judgeChanged } from './content.ts';
import type { Behind } from './place.ts';
import { judgeAhead } from './place.ts';
import type { Verdict } from './verdict.ts';
import { together } from './verdict.ts';

/** What a new rule does to protection where it stands. */
export function judgeNew(content: RuleContent, behind: readonly Behind[]): Verdict {
  return together([judgeAdded(content), judgeAhead(null, content, behind)]);
}

/** What the new content of a rule does to protection where it stands; `moved` is what its way there does. */
export function judgePatched(
  before: RuleContent,
  after: RuleContent,
  { moved, behind }: { readonly moved: Verdict; readonly behind: readonly Behind[] },
): Verdict {
  return together([judgeChanged(before, after), moved, judgeAhead(before, after, behind)]);
}
