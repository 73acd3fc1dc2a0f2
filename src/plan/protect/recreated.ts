import type { AddRule, DeleteRule, RuleChange } from '../../model/change.ts';
import { canonicalJson } from '../../model/json.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { RuleContent } from '../../model/rule.ts';
import type { Standing } from './passed.ts';
import { rulesPassed } from './passed.ts';
import { judgeMoved } from './place.ts';
import { protectionOf, SAME } from './verdict.ts';

/**
 * The rules that go and come again under another `ref`, with what takes their place: of a rule that stays under a new
 * name nothing is lost but its id. Each rule counts once, copies in the order of the list.
 */
export function pairRecreated(changes: readonly RuleChange[]): ReadonlyMap<DeleteRule, AddRule> {
  const gone = changes.filter((change) => change.kind === 'delete');
  const made = gone.length === 0 ? [] : changes.filter((change) => change.kind === 'add');
  const free = new Map<string, AddRule[]>();
  for (const change of made) {
    const text = textOf(change.content);
    free.set(text, [...(free.get(text) ?? []), change]);
  }
  return new Map(
    made.length === 0
      ? []
      : gone.flatMap((change) => {
          const twin = free.get(textOf(change.before))?.shift();
          return twin === undefined ? [] : [[change, twin] as const];
        }),
  );
}

/**
 * The changes of a ruleset, in which a rule that is there again counts as moved, neither as removed nor as added.
 * Where its new place weakens, it counts as both. `order` is the final list, `standings` its live rules.
 */
export function judgeRecreated(
  changes: readonly RuleChange[],
  {
    order,
    standings,
  }: {
    readonly order: readonly { readonly kind: 'live' | 'new' }[];
    readonly standings: readonly Standing[];
  },
): readonly RuleChange[] {
  const settled = new Map<RuleChange, RuleChange>();
  for (const [gone, made] of pairRecreated(changes)) {
    const ahead = order.slice(0, made.place.index - 1).filter(({ kind }) => kind === 'live').length;
    const again = { ref: made.ref, live: gone.place.index - 1, content: made.content };
    const around = [...standings.slice(0, ahead), again, ...standings.slice(ahead)];
    const verdict = judgeMoved(made.content, rulesPassed(around, ahead));
    if (verdict.kind !== 'weaker') {
      settled.set(gone, { ...gone, protection: protectionOf(SAME) });
      settled.set(made, { ...made, protection: protectionOf(verdict) });
    }
  }
  return settled.size === 0 ? changes : changes.map((change) => settled.get(change) ?? change);
}

function textOf(content: RuleContent): string {
  return canonicalJson(canonicalContent(content));
}
