import { allLists } from '../../expression/index.ts';
import { objectOf } from '../../data/index.ts';
import { contentToWire, expressionMode, expressionsIn, isWritten } from '../../model/index.ts';
import type { LiveScope, RuleContent, Scope, Step } from '../../model/index.ts';
import { rulesLeft } from '../guard/referenced.ts';

/** A rule that names lists, as it is when a plan is carried out. */
export interface ListNamingRule {
  readonly scope: Scope;
  readonly phase: string;
  readonly ref: string;
  readonly content: RuleContent;
  readonly lists: ReadonlySet<string>;
  /** Those that it names live: no item of another list has done anything by it yet. */
  readonly live: ReadonlySet<string>;
}

/** The rules of a scope that name lists. */
export interface ListNamingRules {
  /** Those that remain or come, of everything that was read. */
  readonly after: readonly ListNamingRule[];
  /** How many live rules name each list today: as many as the service counts, where all were read. */
  readonly today: ReadonlyMap<string, number>;
}

/** Returns the rules of a scope that name lists, today and when its steps are done. */
export function listNamingRules(steps: readonly Step[], live: LiveScope): ListNamingRules {
  const today = new Map<string, number>();
  for (const { content } of rulesLeft([], live)) {
    for (const name of listsNamed(content)) {
      today.set(name, (today.get(name) ?? 0) + 1);
    }
  }
  const after = rulesLeft(steps, live).flatMap(
    ({ ref, phase, content, before }): readonly ListNamingRule[] => {
      const lists = listsNamed(content);
      const named = before === content ? lists : before === null ? NO_LISTS : listsNamed(before);
      return lists.size === 0 ? [] : [{ scope: live.scope, phase, ref, content, lists, live: named }];
    },
  );
  return { after, today };
}

const NO_LISTS: ReadonlySet<string> = new Set();

/**
 * Returns the lists that a step needs, since rules which it writes come to name them, or come to do something with them. A rule that did the same with
 * a list before, and changes otherwise, awaits nothing of it.
 */
export function listsNamedByStep({ changes }: Step): ReadonlySet<string> {
  return new Set(
    changes.filter(isWritten).flatMap((change) => {
      const names = [...listsNamed(change.content)];
      if (change.kind === 'add' || !change.before.enabled || change.before.action !== change.content.action) {
        return names;
      }
      const before = listsNamed(change.before);
      return names.filter((name) => !before.has(name));
    }),
  );
}

/** Returns the names of the lists in a rule: in its expressions, and that of its redirects. */
export function listsNamed(content: RuleContent): ReadonlySet<string> {
  const names = new Set<string>();
  const list = redirectList(content);
  if (list !== undefined) {
    names.add(list);
  }
  for (const { text, role } of mayNameLists(content) ? expressionsIn(contentToWire(content)) : []) {
    for (const { name } of text.includes('$') && role !== 'characteristic'
      ? allLists(text, expressionMode(role))
      : []) {
      names.add(name);
    }
  }
  return names;
}

/** Returns the list that a bulk redirect takes its redirects from. */
export function redirectList({ action_parameters: parameters }: RuleContent): string | undefined {
  const { name } = objectOf(objectOf(parameters)['from_list']);
  return typeof name === 'string' ? name : undefined;
}

/** Nearly all rules name no list, which one look at their texts tells. */
function mayNameLists({ expression, action_parameters: parameters, ratelimit }: RuleContent): boolean {
  return (
    expression.includes('$') ||
    (parameters !== undefined && JSON.stringify(parameters).includes('$')) ||
    (ratelimit !== undefined && JSON.stringify(ratelimit).includes('$'))
  );
}
