import { compileFilter } from '../expression/index.ts';
import type { Compiled, Condition, EvaluationContext, Tree, Values } from '../expression/index.ts';
import { listsIn } from '../expression/named-lists.ts';

/** Returns the names of the lists of redirects in which an expression looks up URLs. */
export function redirectListsIn(tree: Tree): ReadonlySet<string> {
  return new Set(listsIn(tree).flatMap(({ name, holds }) => (holds === 'redirect' ? [name] : [])));
}

/** The greatest number of lists of redirects for which all their answers are tried. */
const MOST_LISTS = 4;

/**
 * Compiles a condition to whether it holds; undefined where that depends on a list of redirects. Nobody but the service says which URLs the
 * items of such a list match, with their subdomains and subpaths. So each list is tried with both answers.
 */
export function compileDecision(root: Condition, context: EvaluationContext): Compiled<boolean | undefined> {
  const lists = [...redirectListsIn({ mode: 'filter', root })];
  if (lists.length > MOST_LISTS) {
    return { ok: true, evaluate: () => undefined };
  }
  const tests: ((values: Values) => boolean)[] = [];
  for (let answers = 0; answers < 2 ** lists.length; answers += 1) {
    const inList: EvaluationContext['inList'] = (name, value) => {
      const at = lists.indexOf(name);
      return at === -1 ? context.inList?.(name, value) === true : (answers & (1 << at)) !== 0;
    };
    const compiled = compileFilter(root, { context: { ...context, inList } });
    if (!compiled.ok) {
      return compiled;
    }
    tests.push(compiled.evaluate);
  }
  return { ok: true, evaluate: (values) => agreed(tests, values) };
}

/** Returns what all tests say; undefined when they differ. */
function agreed(
  [first, ...others]: readonly ((values: Values) => boolean)[],
  values: Values,
): boolean | undefined {
  const said = first?.(values);
  return others.every((test) => test(values) === said) ? said : undefined;
}
