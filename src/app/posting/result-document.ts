import { readText } from '../../files/index.ts';
import { authorsAmong, RulewrightError, shapeProblems } from '../../model/index.ts';
import { isNestedDeeper } from '../../data/index.ts';
import type {
  ChangeAuthors,
  DriftChange,
  EndingRule,
  Plan,
  Preflight,
  ErrorDocument,
  OutcomesDocument,
  ValidationDocument,
} from '../../model/index.ts';
import { MAX_PLAN_DEPTH } from '../planning/read-plan.ts';
import { checkPlan } from '../../plan/index.ts';
import { validateResult } from '../generated/validate-result.mjs';

/** A result that a command printed with `--format json`, whose plan is not validated yet. */
export type ResultDocument =
  | ValidationDocument
  | OutcomesDocument
  | ErrorDocument
  | {
      readonly kind: 'checked-plan';
      readonly plan: object;
      readonly preflight: Preflight;
    }
  | {
      readonly kind: 'drift';
      readonly plan: object;
      readonly ends?: readonly EndingRule[];
      readonly changes?: readonly DriftChange[];
    };

/** A result of another command, read from its file. */
export type ResultReport =
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      readonly preflight: Preflight | null;
    }
  | {
      readonly kind: 'drift';
      readonly plan: Plan;
      readonly ends: readonly EndingRule[];
      readonly authors: ChangeAuthors;
    }
  | OutcomesDocument
  | ValidationDocument
  | ErrorDocument;

/**
 * Reads the result of another command. The file is untrusted: its shape is checked, and a plan in it as `apply` would check it.
 * Throws `report/unreadable` and `report/invalid`.
 */
export async function readReport(path: string): Promise<ResultReport> {
  const value = await readJson(path);
  if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'plan') {
    return { kind: 'plan', plan: planIn(value, path), preflight: null };
  }
  if (!validateResult(value)) {
    const [problem] = shapeProblems(validateResult.errors ?? []);
    throw invalid(path, `it is damaged: ${problem ?? 'nothing is known of it'}`);
  }
  switch (value.kind) {
    case 'checked-plan':
      return {
        kind: 'plan',
        plan: planIn(value.plan, path),
        preflight: value.preflight,
      };
    case 'drift':
      return {
        kind: 'drift',
        plan: planIn(value.plan, path),
        ends: value.ends ?? [],
        authors: authorsAmong(value.changes ?? []),
      };
    default:
      return value;
  }
}

async function readJson(path: string): Promise<unknown> {
  const read = await readText(path, path);
  if (read.kind === 'unread') {
    throw new RulewrightError(`${path} ${read.reason}`, {
      code: 'report/unreadable',
      fault: 'user',
      hint: read.didYouMean ?? 'make it with --out, or with --format json --output FILE',
      cause: read.cause,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    throw invalid(path, 'it is not JSON');
  }
  if (isNestedDeeper(value, MAX_PLAN_DEPTH)) {
    throw invalid(path, `it is nested deeper than ${MAX_PLAN_DEPTH} levels`);
  }
  return value;
}

function planIn(value: unknown, path: string): Plan {
  const checked = checkPlan(value);
  if (checked.kind === 'other-format') {
    throw new RulewrightError(`${path}: ${checked.problem}`, {
      code: 'report/invalid',
      fault: 'user',
      hint: 'make it again with plan --out, or with --format json --output FILE',
    });
  }
  if (checked.kind === 'invalid') {
    throw invalid(path, checked.problems[0] ?? 'its plan is not valid');
  }
  return checked.plan;
}

function invalid(path: string, problem: string): RulewrightError {
  return new RulewrightError(`${path} is not a result of this program: ${problem}`, {
    code: 'report/invalid',
    fault: 'user',
    hint: 'make it again with plan --out, or with --format json --output FILE; results are not edited by hand',
  });
}
