import { calledName } from '../model/index.ts';
import type { TestDocument } from '../model/generated/documents.ts';
import type { SimulatedRule, SimulatedScope } from './scope-rules.ts';

/** Returns a scope in which rules are named by their description where their `ref` tells people nothing; the refs in `keeps` stay. */
export function asPeopleKnow(scope: SimulatedScope, keeps: ReadonlySet<string> = new Set()): SimulatedScope {
  const rulesets = scope.rulesets.map((ruleset) => ({
    ...ruleset,
    rules: ruleset.rules.map((rule) => {
      const { ref = '', ...nameless } = rule;
      return called(rule) === '' || keeps.has(ref) ? rule : nameless;
    }),
  }));
  return { ...scope, rulesets };
}

/** Returns the description of a rule whose `ref` tells people nothing; empty for any other rule. */
function called({ ref = '', content }: SimulatedRule): string {
  return calledName(ref, content.description) === '' ? '' : content.description;
}

/** The scopes of tests, with their rules named as people know them. */
export interface TestedScopes {
  readonly scopes: readonly SimulatedScope[];
  /** Translates an expectation to these names: a test may still name a rule by the ref in its file. */
  readonly expectation: (expect: ExpectedResult) => ExpectedResult;
}

type ExpectedResult = TestDocument['tests'][number]['expect'];

/** Returns the scopes for tests. A rule keeps its ref when other rules share its description, since a test has to tell rules apart. */
export function testedScopes(scopes: readonly SimulatedScope[]): TestedScopes {
  const rules = scopes.flatMap(({ rulesets }) => rulesets.flatMap((ruleset) => ruleset.rules));
  const uses = new Map<string, number>();
  for (const rule of rules) {
    const name = called(rule) || (rule.ref ?? rule.content.description);
    uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const names = new Map(
    rules.flatMap((rule) => {
      const name = called(rule);
      return name === '' || uses.get(name) !== 1 ? [] : [[rule.ref ?? '', name] as const];
    }),
  );
  const keeps = new Set(rules.flatMap(({ ref = '' }) => (names.has(ref) ? [] : [ref])));
  const nameOf = (name: string): string => names.get(name) ?? name;
  return {
    scopes: scopes.map((scope) => asPeopleKnow(scope, keeps)),
    expectation: (expect) => ({
      ...expect,
      ...(expect.rule === undefined ? {} : { rule: nameOf(expect.rule) }),
      ...(expect.rules === undefined
        ? {}
        : {
            rules: Object.fromEntries(
              Object.entries(expect.rules).map(([name, verdict]) => [nameOf(name), verdict]),
            ),
          }),
    }),
  };
}
