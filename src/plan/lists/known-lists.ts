import { objectOf } from '../../data/index.ts';
import { isListStep, listItemKey, plannedScopes } from '../../model/index.ts';
import type { ListStep, Plan, PlannedScope, RuleContent, Scope, ScopePlan } from '../../model/index.ts';
import { judgeContent } from '../impact/judge-content.ts';
import type { ListsAsBefore } from '../impact/security-effect.ts';
import { protectionOf } from '../impact/security-effect.ts';
import { MOST_ITEMS, withListReplaced } from './judge-items.ts';
import { renamesIn } from './list-notes.ts';
import { listsNamed, redirectList } from './list-rules.ts';

/** Returns, for each account, what its rules say without the lists that a plan makes; undefined where it makes none whose items it knows. */
export function listsAsBefore({
  scopes,
}: Pick<Plan, 'scopes'>): (scope: Pick<Scope, 'accountId'>) => ListsAsBefore | undefined {
  const known = new Map<string, ListsAsBefore>();
  for (const { scope, objects = [] } of plannedScopes(scopes)) {
    const steps = objects.filter(isListStep);
    if (scope.kind === 'account' && steps.some(({ operation }) => operation === 'create')) {
      known.set(scope.accountId, asBefore(steps));
    }
  }
  return ({ accountId }) => known.get(accountId);
}

/**
 * Returns a function that names, in place of a list that the steps make, the one of the same items that they delete, or else a set of its items: so a
 * rule is compared with what it says live. A plan shows all items of both, and `apply` has checked that these are what is live.
 */
function asBefore(steps: readonly ListStep[]): ListsAsBefore {
  const made = new Map<string, (content: RuleContent) => RuleContent>();
  for (const { target, operation, items } of steps) {
    const isListed = target.holds === 'ip' || target.holds === 'asn';
    if (operation === 'create' && isListed && items.add.length > 0 && items.add.length <= MOST_ITEMS) {
      const set = `{${items.add.map(listItemKey).join(' ')}}`;
      made.set(target.name, (content) => withListReplaced(content, target.name, set).content);
    }
  }
  for (const { made: now, former } of renamesIn(steps)) {
    const [to, from] = [former.target.name, now.target.name];
    // A plan could leave out items that the list has.
    if (former.base.kind === 'list' && former.base.items === former.items.remove.length) {
      made.set(from, (content) =>
        withRedirectsOf(withListReplaced(content, from, `$${to}`).content, { from, to }),
      );
    }
  }
  return (content) =>
    [...listsNamed(content)].reduce((said, name) => made.get(name)?.(said) ?? said, content);
}

function withRedirectsOf(
  content: RuleContent,
  { from, to }: { readonly from: string; readonly to: string },
): RuleContent {
  const { action_parameters: parameters } = content;
  return redirectList(content) !== from
    ? content
    : {
        ...content,
        action_parameters: { ...parameters, from_list: { ...objectOf(parameters?.['from_list']), name: to } },
      };
}

/**
 * Takes back what a plan says against rules that only follow a list to another name, or whose set becomes a list of the same items: whether the items
 * are the same is known once the lists are planned, which rules are before. What else changes in a rule is judged as before.
 */
export function followingLists(scopes: readonly ScopePlan[]): readonly ScopePlan[] {
  const of = listsAsBefore({ scopes });
  return scopes.map((scope) => {
    const lists = scope.kind === 'failed' ? undefined : of(scope.scope);
    return scope.kind === 'failed' || lists === undefined ? scope : following(scope, lists);
  });
}

function following(plan: PlannedScope, lists: ListsAsBefore): PlannedScope {
  const proven = new Set<string>();
  const steps = plan.steps.map((step) => {
    const context = { scope: plan.scope, phase: step.target.phase };
    const changes = step.changes.map((change) => {
      if (change.kind !== 'patch' || change.protection.kind !== 'weakening') {
        return change;
      }
      const said = protectionOf(judgeContent(change, context));
      const again = protectionOf(judgeContent(change, { ...context, lists }));
      // A weakening that says more than the content does is about the rule's place, or about what it executes.
      if (
        said.kind !== 'weakening' ||
        said.reason !== change.protection.reason ||
        again.kind === 'weakening'
      ) {
        return change;
      }
      proven.add(JSON.stringify([step.id, change.ref]));
      return { ...change, protection: again };
    });
    return { ...step, changes };
  });
  return proven.size === 0
    ? plan
    : {
        ...plan,
        steps,
        findings: plan.findings.filter(
          ({ kind, step, rule }) => kind !== 'weakened' || !proven.has(JSON.stringify([step, rule])),
        ),
      };
}
