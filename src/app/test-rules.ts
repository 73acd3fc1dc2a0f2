import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Project, ReadTestFiles } from '../config/index.ts';
import { findProject, listTestFiles, readTestFiles } from '../config/index.ts';
import type { Diagnostic, RuleTestError, RuleTestReport } from '../model/index.ts';
import { hasErrors, sortDiagnostics, PLAN_KEY } from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import { runTest } from '../simulate/index.ts';
import { load } from './project/load.ts';
import { readyTests } from './requests/ready-tests.ts';
import type { FileFindings } from './run/results.ts';
import type { Selection } from './project/selection.ts';

/** Answer of `test`. */
export type TestRulesResult =
  | ({ readonly kind: 'tested'; readonly report: RuleTestReport } & FileFindings)
  | ({ readonly kind: 'invalid' } & FileFindings);

/** Runs the rule tests of a project against the rules of its files; no network. `paths` name test files or folders of them. */
export async function testRules(selection: Omit<Selection, 'targets'>): Promise<TestRulesResult> {
  const { cwd, config, paths } = selection;
  const found = await findProject({ cwd, config, paths });
  if (found.kind === 'not-found') {
    return { kind: 'invalid', diagnostics: found.diagnostics, sources: new Map() };
  }
  const { root, file } = found;
  const listed = await listTestFiles(
    root,
    paths.map((path) => resolve(cwd, path)),
  );
  const read = await readTestFiles(root, listed.files);
  // Drops the plan key: sensitive values then have no digests, so that test results do not depend on the machine.
  const environment = { ...selection.environment, [PLAN_KEY]: undefined };
  const loaded = await load({ ...selection, environment, cwd: root, config: file, paths: [], targets: [] });
  const given = [...loaded.diagnostics, ...listed.diagnostics];
  const sources = new Map([...loaded.sources, ...read.sources]);
  if (loaded.kind === 'invalid' || hasErrors(given)) {
    return { kind: 'invalid', diagnostics: sortDiagnostics([...given, ...read.diagnostics]), sources };
  }
  const { tests, errors } = await run(loaded.project, read, selection.signal);
  const diagnostics = sortDiagnostics([...given, ...read.diagnostics, ...eachOnce(errors)]);
  return {
    kind: 'tested',
    report: { tests, errors: [...fileErrors(read.diagnostics), ...errors] },
    diagnostics,
    sources,
  };
}

/** Returns one error for each file that could not be read as tests. */
function fileErrors(diagnostics: readonly Diagnostic[]): readonly RuleTestError[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return [...groupBy(errors, ({ where }) => where?.file ?? '')].map(([file, findings]) => ({
    file,
    name: null,
    findings,
  }));
}

/** Removes duplicate findings: each test reports the faults in what tests share. */
function eachOnce(errors: readonly RuleTestError[]): readonly Diagnostic[] {
  const findings = errors.flatMap((error) => error.findings);
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

const TESTS_AT_ONCE = 100;

async function run(
  { scopes }: Project,
  { files }: ReadTestFiles,
  signal: AbortSignal | undefined,
): Promise<RuleTestReport> {
  const ready = readyTests(files, scopes);
  const tests: RuleTestReport['tests'][number][] = [];
  for (const [index, { file, name, where, test }] of ready.tests.entries()) {
    if (index % TESTS_AT_ONCE === 0) {
      // Yields to the event loop, so that an abort is noticed.
      await setImmediate();
      signal?.throwIfAborted();
    }
    const { mismatches, way } = runTest(test);
    tests.push({ file, name, where, passed: mismatches.length === 0, mismatches, way });
  }
  return { tests, errors: ready.errors };
}
