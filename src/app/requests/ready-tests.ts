import type { TestFile } from '../../config/index.ts';
import type { Diagnostic, RuleTestError, SourceSpan, DesiredScope } from '../../model/index.ts';
import {
  checkLists,
  checkNames,
  checkTestNames,
  declaredItems,
  evaluationOf,
  newFieldsFor,
  readScenario,
  testedScopes,
} from '../../simulate/index.ts';
import type {
  Lists,
  NewFields,
  PreparedZone,
  ReadyTest,
  SimulatedScope,
  TestProblem,
} from '../../simulate/index.ts';
import { prepareZone, zoneScopes } from './zone-rules.ts';
import type { ZoneScopes } from './zone-rules.ts';

/** A test that can run, and where it stands. */
interface PlacedTest {
  readonly file: string;
  readonly name: string;
  readonly where: SourceSpan;
  readonly test: ReadyTest;
}

/** Tests that can run, and what is wrong with the others. */
interface ReadyTests {
  readonly tests: readonly PlacedTest[];
  readonly errors: readonly RuleTestError[];
}

/** Combines tests with the rules that they are about. Rules are compiled once for each zone, account, plan and set of lists. */
export function readyTests(files: readonly TestFile[], scopes: readonly DesiredScope[]): ReadyTests {
  const zones = new Map<string, Pick<ReadyTest, 'zone' | 'evaluation'>>();
  const prepared = files.map((file) => readyFile(file, scopes, zones));
  return {
    tests: prepared.flatMap(({ tests }) => tests),
    errors: prepared.flatMap(({ errors }) => errors),
  };
}

function readyFile(
  file: TestFile,
  all: readonly DesiredScope[],
  zones: Map<string, Pick<ReadyTest, 'zone' | 'evaluation'>>,
): ReadyTests {
  const { document, path, locate } = file;
  const found = zoneScopes(all, document);
  const shared = [
    ...(found.kind === 'found' ? [] : [scopeProblem(found, document)]),
    ...checkLists(document.lists ?? {}, ['lists']),
  ];
  if (found.kind !== 'found' || shared.length > 0) {
    return { tests: [], errors: [{ file: path, name: null, findings: placed(file, shared) }] };
  }
  const { scopes, expectation } = testedScopes(found.scopes);
  const declared = declaredItems(found.scopes);
  const names = checkTestNames(document.tests);
  const errors: RuleTestError[] = [];
  const newFields = newFieldsFor(fieldNames(document), scopes);
  const tests = document.tests.flatMap((written, index): readonly PlacedTest[] => {
    const test = { ...written, expect: expectation(written.expect) };
    const at = ['tests', index];
    const read = readScenario({
      test,
      ...(document.request === undefined ? {} : { shared: document.request }),
      zone: document.zone,
      path: at,
      at: document.at,
      timeZone: found.scopes.find((scope) => scope.timeZone !== undefined)?.timeZone,
      newFields,
    });
    const own = [
      ...names.filter((problem) => problem.path[1] === index),
      ...(read.kind === 'read' ? [] : read.problems),
      ...checkLists(test.lists ?? {}, [...at, 'lists']),
      ...checkNames(test, scopes, at),
    ];
    if (read.kind === 'invalid' || own.length > 0) {
      errors.push({ file: path, name: test.name, findings: placed(file, own) });
      return [];
    }
    const lists = { ...document.lists, ...test.lists };
    const rules = compiled(zones, { document, scopes, lists, declared, newFields });
    const ready = { ...rules, scenario: read.scenario, expect: test.expect };
    return [{ file: path, name: test.name, where: locate([...at, 'name'], 'value'), test: ready }];
  });
  return { tests, errors };
}

/** Returns the names of all fields to which the tests of a file give values. */
function fieldNames({ request: shared, tests }: TestFile['document']): readonly string[] {
  const given = tests.flatMap(({ request, response }) => [
    typeof request === 'string' ? {} : (request.fields ?? {}),
    response?.fields ?? {},
  ]);
  return [shared?.fields ?? {}, ...given].flatMap((fields) => Object.keys(fields));
}

function compiled(
  known: Map<string, { readonly zone: PreparedZone; readonly evaluation: ReadyTest['evaluation'] }>,
  wanted: {
    readonly document: TestFile['document'];
    readonly scopes: readonly SimulatedScope[];
    readonly lists: Lists;
    /** What the files declare for the zone and account; the tests' own lists come before. */
    readonly declared: Lists;
    readonly newFields: NewFields;
  },
): Pick<ReadyTest, 'zone' | 'evaluation'> {
  const { document, scopes, lists, declared, newFields } = wanted;
  const { zone: name, account, plan } = document;
  const key = JSON.stringify([name, account, plan, lists, [...newFields.keys()]]);
  const before = known.get(key);
  if (before !== undefined) {
    return before;
  }
  const evaluation = { ...evaluationOf({ ...declared, ...lists }), newFields };
  const ready = { zone: prepareZone(scopes, { name, plan, source: 'files', evaluation }), evaluation };
  known.set(key, ready);
  return ready;
}

function scopeProblem(
  found: Exclude<ZoneScopes, { readonly kind: 'found' }>,
  { zone, account }: TestFile['document'],
): TestProblem {
  const { known } = found;
  const hint = known.length === 0 ? {} : { hint: `they have ${known.join(', ')}` };
  switch (found.kind) {
    case 'no-zone':
      return {
        code: 'test/no-such-zone',
        path: ['zone'],
        message: `the files have no zone ${zone}`,
        ...hint,
      };
    case 'no-account':
      return {
        code: 'test/no-such-account',
        path: ['account'],
        message: `the files have no account ${account ?? ''}`,
        ...hint,
      };
    case 'same-account':
      return {
        code: 'test/which-account',
        path: ['zone'],
        message: `the zone is in the account ${found.id}, and whether that is ${known.join(' or ')} is not known, since the files name no id there`,
        hint: `say \`account: ${known[0] ?? ''}\` if it holds the zone; if not, name it by its id in its file`,
      };
    case 'other-account':
      return {
        code: 'test/other-account',
        path: ['account'],
        message: `the zone is in the account ${found.id}, so the rules of ${account ?? ''} do not apply to it`,
        hint: 'leave out `account`',
      };
    default:
      return {
        code: 'test/which-account',
        path: ['zone'],
        message: 'the files have several accounts, and the rules of an account apply to its zones',
        hint: `say with \`account\` which one holds the zone: ${known.join(', ')}`,
      };
  }
}

function placed({ locate }: TestFile, problems: readonly TestProblem[]): readonly Diagnostic[] {
  return problems.map(({ code, path, message, hint }) => ({
    code,
    severity: 'error',
    message,
    hint,
    where: locate(path, isAboutKey({ code, path }) ? 'key' : 'value'),
  }));
}

/** Whether a finding is about the name before the colon. */
function isAboutKey({ code, path }: Pick<TestProblem, 'code' | 'path'>): boolean {
  return code === 'test/unknown-field' || code === 'test/derived-field' || path.at(-2) === 'rules';
}
