import { plan } from '../../app/index.ts';
import type { PlanSelection } from '../../app/index.ts';
import { hasErrors } from '../../model/index.ts';
import type { ChangeAuthors, Diagnostic, Plan, Safety } from '../../model/index.ts';
import type { ReadingFlags } from '../cache-choice.ts';
import { readingChoice } from '../cache-choice.ts';
import type { CliContext } from '../context.ts';
import type { GuardFlags, SelectionFlags, ServiceFlags, FormatFlags, PartFlags } from '../flags.ts';
import type { ComparingWords } from '../progress.ts';
import { startProgress } from '../progress.ts';
import { findingsRenderings } from '../renderings.ts';
import { tell } from '../result.ts';
import { selectionOf, serviceOptions } from '../service-choice.ts';
import type { ApplyFlags } from './apply-run.ts';
import type { EndedEarly } from './report-findings.ts';
import { countWarnings, reportFindings, reportInvalidFiles } from './report-findings.ts';

/** A plan to go on with. */
export interface Planned {
  readonly kind: 'planned';
  readonly plan: Plan;
}

/** A plan and the guard settings that judged it. */
export interface PlannedWithSafety extends Planned {
  readonly safety: Safety;
  /** Whether the plan keeps examples of recorded requests. */
  readonly trafficExamples: boolean;
}

/** A plan of the files, and the findings about them. */
interface PlannedFiles extends PlannedWithSafety {
  readonly diagnostics: readonly Diagnostic[];
  /** Who made the differences; for drift that asks for it. */
  readonly authors?: ChangeAuthors;
}

/** What a command plans for. */
interface Planning extends Pick<PlanSelection, 'purpose'> {
  readonly paths: readonly string[];
  /** The words for progress. */
  readonly words?: ComparingWords;
  /** Warnings about the files are only counted, since another command shows them. */
  readonly warnings?: 'count';
}

/** Plans the selected files, and reports the findings about them. Throws when it is interrupted, since half a plan is none. */
export async function planFiles(
  context: CliContext,
  flags: FormatFlags &
    SelectionFlags &
    ServiceFlags &
    GuardFlags &
    PartFlags &
    ReadingFlags &
    Pick<ApplyFlags, 'onlyStrengthening'>,
  { paths, purpose, words, warnings }: Planning,
): Promise<PlannedFiles | EndedEarly> {
  const whole = selectionOf(context, flags, paths);
  const selection: PlanSelection = {
    ...whole,
    only: flags.onlyStrengthening === true ? 'strengthening' : undefined,
    purpose,
  };
  const options = {
    ...(await serviceOptions(context, flags, selection)),
    ...(await readingChoice(context, flags, selection)),
  };
  const result = await startProgress(context, flags, (report) => plan(selection, options, report), words);
  context.signal.throwIfAborted();
  // Errors in the files are annotated beside the plan's own annotations.
  if (flags.format === 'github' && hasErrors(result.diagnostics)) {
    const { github } = findingsRenderings(result, selection, context);
    await context.stdout.writeAll(await github());
  }
  if (result.kind === 'invalid') {
    const code = await reportInvalidFiles(context, flags, result);
    if ((flags.target ?? []).length > 0 && paths.length === 0) {
      tell(
        context,
        flags,
        'All files have to be valid, whatever --target chooses. Name files instead to work with those alone.',
      );
    }
    return { kind: 'ended', code };
  }
  // The errors of a plan that was made are in it, with their places.
  if (flags.quiet !== true) {
    if (warnings === 'count') {
      // Drift names the rules that end in its result.
      const ends = purpose?.kind === 'drift' ? 'named-elsewhere' : 'tell';
      countWarnings(context, flags, { ...result, ends });
    } else {
      reportFindings(context, flags, result);
    }
  }
  const { plan: made, safety, trafficExamples, diagnostics, authors } = result;
  return {
    kind: 'planned',
    plan: made,
    safety,
    trafficExamples,
    diagnostics,
    ...(authors === undefined ? {} : { authors }),
  };
}
