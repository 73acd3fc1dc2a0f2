import { compileFilter, takeInventory, listsIn } from '../expression/index.ts';
import type { Compiled, Condition, EvaluationContext, Tree, Values } from '../expression/index.ts';

/** Returns the names of the lists of redirects in which an expression looks up URLs. */
export function redirectListsIn(tree: Tree): ReadonlySet<string> {
  return new Set(listsIn(tree).flatMap(({ name, holds }) => (holds === 'redirect' ? [name] : [])));
}

/** Returns those of some fields that a condition tests. */
export function fieldsIn(root: Condition, names: ReadonlySet<string>): readonly string[] {
  const { fields } = takeInventory('', { mode: 'filter', root });
  return [...new Set(fields.map(({ name }) => name))].filter((name) => names.has(name));
}

/** The greatest number of things that only the service knows for which all their answers are tried. */
const MOST_UNKNOWN = 4;

/** A test of fields that this version does not know. */
interface Hole {
  /** The name of the field that stands for its result. */
  readonly name: string;
  readonly test: Condition;
  readonly fields: readonly string[];
}

/**
 * Compiles a condition to whether it holds; undefined where that depends on what only the service knows: which URLs the items of a list of
 * redirects match, with their subdomains and subpaths, and fields of a newer service that nobody gave. So each such list and test is tried
 * with both answers.
 */
export function compileDecision(
  root: Condition,
  context: EvaluationContext,
  newFields: ReadonlySet<string> = new Set(),
): Compiled<boolean | undefined> {
  const lists = [...redirectListsIn({ mode: 'filter', root })];
  const holes: Hole[] = [];
  const opened = newFields.size === 0 ? root : open(root, newFields, holes);
  if (lists.length + holes.length > MOST_UNKNOWN) {
    return { ok: true, evaluate: () => undefined };
  }
  const given: { readonly hole: Hole; readonly evaluate: (values: Values) => boolean }[] = [];
  for (const hole of holes) {
    const compiled = compileFilter(hole.test, { context });
    if (!compiled.ok) {
      return compiled;
    }
    given.push({ hole, evaluate: compiled.evaluate });
  }
  const tests: ((values: Values) => boolean)[] = [];
  for (const answers of answersOf(lists)) {
    const inList: EvaluationContext['inList'] = (name, value) =>
      answers.get(name) ?? context.inList?.(name, value) === true;
    const compiled = compileFilter(opened, { context: { ...context, inList } });
    if (!compiled.ok) {
      return compiled;
    }
    tests.push(compiled.evaluate);
  }
  return {
    ok: true,
    evaluate: (values) => {
      const decided = given.filter(({ hole }) => hole.fields.every((name) => values.has(name)));
      const said = decided.map(({ hole, evaluate }) => [hole.name, evaluate(values)] as const);
      const unsaid = holes.filter((hole) => !decided.some((one) => one.hole === hole));
      const worlds =
        holes.length === 0
          ? [values]
          : answersOf(unsaid.map(({ name }) => name)).map(
              (answers) => new Map([...values, ...said, ...answers]),
            );
      return agreed(worlds.flatMap((world) => tests.map((test) => test(world))));
    },
  };
}

/** Returns all ways to answer yes or no to each of some questions. */
function answersOf(names: readonly string[]): readonly ReadonlyMap<string, boolean>[] {
  return names.reduce<readonly ReadonlyMap<string, boolean>[]>(
    (all, name) => all.flatMap((one) => [new Map([...one, [name, false]]), new Map([...one, [name, true]])]),
    [new Map()],
  );
}

/** Returns what all say; undefined when they differ. */
function agreed([first, ...others]: readonly boolean[]): boolean | undefined {
  return others.every((one) => one === first) ? first : undefined;
}

/** Puts a field of its own in the place of each test of fields that this version does not know. */
function open(condition: Condition, names: ReadonlySet<string>, holes: Hole[]): Condition {
  switch (condition.kind) {
    case 'or':
    case 'xor':
    case 'and':
      return { ...condition, items: condition.items.map((item) => open(item, names, holes)) };
    case 'not':
    case 'group':
      return { ...condition, item: open(condition.item, names, holes) };
    default: {
      const fields = fieldsIn(condition, names);
      if (fields.length === 0) {
        return condition;
      }
      // No field has such a name.
      const name = `?${holes.length}`;
      holes.push({ name, test: condition, fields });
      const { span } = condition;
      const type = { kind: 'Bool' } as const;
      const source = { kind: 'field', name, type, span } as const;
      return {
        kind: 'bare',
        operand: { kind: 'operand', source, indexes: [], type, each: 0, span },
        elementwise: false,
        span,
      };
    }
  }
}
