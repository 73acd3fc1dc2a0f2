import { resolve } from 'node:path';
import {
  guardSavedPlan,
  judgeSavedLists,
  readGuards,
  beginsAsPlan,
  requireDigests,
  usage,
} from '../../app/index.ts';
import type { CliContext } from '../context.ts';
import type { SelectionFlags, FormatFlags, GuardFlags, PartFlags, ServiceFlags } from '../flags.ts';
import { startProgress } from '../progress.ts';
import { shellWord } from '../../text/index.ts';
import { selectionOf, serviceOf } from '../service-choice.ts';
import type { EndedEarly } from './report-findings.ts';
import type { Planned, PlannedWithSafety } from './plan-files.ts';
import { reportInvalidFiles } from './report-findings.ts';

/** Throws when flags narrow what is only taken as a whole: a saved plan, or its reversal. */
function requireWhole(flags: Pick<SelectionFlags, 'target'> & PartFlags): void {
  const narrowing = [
    ...(flags.target === undefined || flags.target.length === 0 ? [] : ['--target']),
    ...(flags.changedSince === undefined ? [] : ['--changed-since']),
    ...(flags.shard === undefined ? [] : ['--shard']),
  ];
  if (narrowing.length > 0) {
    throw usage(
      'a saved plan is applied as a whole',
      `leave out ${narrowing.join(' and ')}, or plan again with it`,
    );
  }
}

/** Whether flags or arguments leave scopes of the project out. */
export function isNarrowed(
  flags: Pick<SelectionFlags, 'target'> & PartFlags,
  paths: readonly string[],
): boolean {
  return (
    paths.length > 0 ||
    (flags.target ?? []).length > 0 ||
    flags.changedSince !== undefined ||
    flags.shard !== undefined
  );
}

/** Returns the plan file among the arguments: one that ends in `.json`, or begins as a saved plan does. Throws unless it is the only argument. */
export async function savedPlanPath({ cwd }: CliContext, paths: readonly string[]): Promise<string | null> {
  const plans = await Promise.all(
    paths.map(async (path) => path.endsWith('.json') || (await beginsAsPlan(resolve(cwd, path)))),
  );
  const saved = paths.find((_path, index) => plans[index] === true);
  if (saved !== undefined && paths.length > 1) {
    throw usage('a saved plan stands alone', `rulewright apply ${shellWord(saved)}`);
  }
  return saved ?? null;
}

/** Reads a plan that `plan --out` saved. */
export async function readSavedPlan(
  context: CliContext,
  flags: FormatFlags & Pick<SelectionFlags, 'target'> & PartFlags,
  path: string,
): Promise<Planned | EndedEarly> {
  requireWhole(flags);
  // Loaded here, since its schema is large and rarely needed.
  const { readPlanFile } = await import('../../app/index.ts');
  const read = await readPlanFile(resolve(context.cwd, path), path);
  if (read.kind === 'read') {
    return { kind: 'planned', plan: read.plan };
  }
  return {
    kind: 'ended',
    code: await reportInvalidFiles(context, flags, { ...read, sources: new Map() }),
  };
}

/** Reads a saved plan to be carried out, and judges it by the guards of this run, and by what is live. */
export async function readGuardedPlan(
  context: CliContext,
  flags: FormatFlags & SelectionFlags & ServiceFlags & GuardFlags & PartFlags,
  path: string,
): Promise<PlannedWithSafety | EndedEarly> {
  const saved = await readSavedPlan(context, flags, path);
  if (saved.kind === 'ended') {
    return saved;
  }
  requireDigests(saved.plan.scopes);
  const read = await readGuards(selectionOf(context, flags, []), context.today);
  if (read.kind === 'invalid') {
    return { kind: 'ended', code: await reportInvalidFiles(context, flags, read) };
  }
  const service = await serviceOf(context, flags, []);
  const judged = await startProgress(context, flags, (report) =>
    judgeSavedLists(saved.plan, service, report),
  );
  return {
    kind: 'planned',
    plan: guardSavedPlan(judged, read.guards),
    safety: read.guards.safety,
    trafficExamples: read.guards.trafficExamples,
  };
}
