import type { TestDocument } from '../model/generated/documents.ts';
import { repeatsOf } from '../data/index.ts';
import { PHASES } from '../model/index.ts';
import { ruleName } from './scope-rules.ts';
import type { SimulatedScope } from './scope-rules.ts';
import { didYouMean } from './test-problem.ts';
import type { TestProblem } from './test-problem.ts';

type NamedTest = TestDocument['tests'][number];

/** Reports rules and phases of an expectation that do not exist, and response headers that are expected without a response. */
export function checkNames(
  { expect, response }: Pick<NamedTest, 'expect' | 'response'>,
  scopes: readonly SimulatedScope[],
  path: TestProblem['path'],
): readonly TestProblem[] {
  const at = [...path, 'expect'];
  const rules = new Set(scopes.flatMap((scope) => namesIn(scope)));
  const { rule, phase } = expect;
  return [
    ...(rule === undefined || rules.has(rule) ? [] : [noRule(rule, rules, [...at, 'rule'])]),
    ...(phase === undefined || PHASE_NAMES.includes(phase) ? [] : [noPhase(phase, [...at, 'phase'])]),
    ...Object.keys(expect.rules ?? {})
      .filter((name) => !rules.has(name))
      .map((name) => noRule(name, rules, [...at, 'rules', name])),
    ...(expect.response_headers === undefined || response !== undefined
      ? []
      : [noResponse([...at, 'response_headers'])]),
  ];
}

/** Reports tests with the same name, which could not be told apart in a report. */
export function checkTestNames(tests: readonly NamedTest[]): readonly TestProblem[] {
  const { repeats } = repeatsOf(tests.entries(), ([, { name }]) => name);
  return repeats.map(({ item: [index, { name }], first: [other] }) => ({
    code: 'test/duplicate-name',
    path: ['tests', index, 'name'],
    message: `test ${other + 1} of this file has the name ${JSON.stringify(name)} as well`,
    hint: 'give each its own',
  }));
}

const PHASE_NAMES: readonly string[] = PHASES.map(({ name }) => name);

function namesIn({ rulesets }: SimulatedScope): readonly string[] {
  return rulesets.flatMap(({ rules }) => rules.map((rule, index) => ruleName(rule, index)));
}

function noRule(name: string, known: Iterable<string>, path: TestProblem['path']): TestProblem {
  return {
    code: 'test/unknown-rule',
    path,
    message: `the files have no rule \`${name}\` that this request could meet`,
    hint: 'a rule is called by its `ref`, or by its description when it has none',
    ...didYouMean(name, known),
  };
}

function noPhase(name: string, path: TestProblem['path']): TestProblem {
  return {
    code: 'test/unknown-phase',
    path,
    message: `the phase \`${name}\` does not exist`,
    ...didYouMean(name, PHASE_NAMES),
  };
}

function noResponse(path: TestProblem['path']): TestProblem {
  return {
    code: 'test/needs-response',
    path,
    message: 'response headers are expected, and the test gives no response',
    hint: 'add `response: { status: 200 }` beside `request`',
  };
}
