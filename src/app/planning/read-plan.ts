import { readText } from '../../files/index.ts';
import type { Diagnostic, Plan } from '../../model/index.ts';
import { assertNever, isJsonObject, isNestedDeeper } from '../../data/index.ts';
import { checkPlan } from '../../plan/index.ts';
import { errorMessage } from '../../model/index.ts';

/** A plan file, read and checked, or what is wrong with it. */
export type ReadPlan =
  | { readonly kind: 'read'; readonly plan: Plan }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

/**
 * The maximum nesting of a plan. The levels of a plan around a rule plus those that a rule may have in a file or a response stay
 * below it.
 */
export const MAX_PLAN_DEPTH = 200;

/** Reads a plan file; `named` is its path for messages. The file is untrusted: its shape, its counts and its digest are checked. */
export async function readPlanFile(path: string, named: string = path): Promise<ReadPlan> {
  const read = await readText(path, named);
  if (read.kind === 'unread') {
    return invalid('plan/unreadable', `the plan file ${named} ${read.reason}`, read.didYouMean);
  }
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch (error) {
    const reason = errorMessage(error);
    return invalid('plan/not-json', `the plan file ${named} is not JSON: ${reason}`);
  }
  return readPlan(named, value);
}

/** Reads a plan from a JSON value, which is untrusted like a file. Its lines are unknown, so findings name only the file. */
export function readPlan(named: string, value: unknown): ReadPlan {
  if (isNestedDeeper(value, MAX_PLAN_DEPTH)) {
    return invalid('plan/too-deep', `the plan file ${named} is nested deeper than ${MAX_PLAN_DEPTH} levels`);
  }
  const other = isJsonObject(value) ? OTHERS.get(value['kind']) : undefined;
  if (other !== undefined) {
    const hint = 'a plan is what rulewright plan --out saves';
    return invalid('plan/invalid', `${named} is ${other}, not a plan`, hint);
  }
  const checked = checkPlan(value);
  switch (checked.kind) {
    case 'valid':
      return { kind: 'read', plan: checked.plan };
    case 'other-format':
      return invalid('plan/invalid', `${named}: ${checked.problem}`, 'plan again with rulewright plan --out');
    case 'invalid':
      return {
        kind: 'invalid',
        diagnostics: checked.problems.map((problem) => ({
          code: 'plan/invalid',
          severity: 'error',
          message: `${named}: ${problem}`,
          hint: 'make the plan again with rulewright plan --out; a plan is not edited by hand',
        })),
      };
    default:
      return assertNever(checked);
  }
}

/** Other results of this program, by their kind. */
const OTHERS: ReadonlyMap<unknown, string> = new Map([
  ['drift', 'a drift report'],
  ['outcomes', 'the result of an apply'],
  ['checked-plan', 'the result of a plan that the service has checked'],
  ['validation', 'the result of a validation'],
  ['error', 'the error of a command'],
]);

function invalid(code: string, message: string, hint?: string): ReadPlan {
  return { kind: 'invalid', diagnostics: [{ code, severity: 'error', message, hint }] };
}
