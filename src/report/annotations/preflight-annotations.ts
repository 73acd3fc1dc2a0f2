import { assertNever } from '../../data/index.ts';
import { describedName } from '../../model/index.ts';
import type { Step, Preflight, StepPreflight } from '../../model/index.ts';
import { notCheckedReasons, weighPreflight } from '../preflight-document.ts';
import type { Annotation } from './annotation.ts';
import { placeOf } from './annotation.ts';

/** The steps of a plan by id, and the project's folder in its repository. */
interface Around {
  readonly steps: ReadonlyMap<string, Step>;
  readonly folder: string;
}

/** Returns annotations for writes that the service would refuse, at the rules in the files, and for what it did not check. */
export function preflightAnnotations(preflight: Preflight, around: Around): readonly Annotation[] {
  const { error, warning } = weighPreflight(preflight);
  return [
    ...error.flatMap((found) => against(found, around)),
    ...notCheckedReasons(warning).map((message): Annotation => ({
      level: 'warning',
      title: 'preflight: not checked',
      message,
    })),
  ];
}

function against(found: StepPreflight, { steps, folder }: Around): readonly Annotation[] {
  const own = placeOf(folder, steps.get(found.step)?.cause);
  const title = `${found.step}: preflight ${found.kind}`;
  switch (found.kind) {
    case 'passed':
    case 'not-checked':
      return [];
    case 'refused':
      return found.refusals.map(({ rule, description = '', message, cause }) => ({
        level: 'error',
        title,
        message: rule === undefined ? message : `${describedName(rule, description)}: ${message}`,
        ...(cause === undefined ? own : placeOf(folder, cause)),
      }));
    case 'stale':
      return [{ level: 'error', title, message: found.message, ...own }];
    case 'failed':
    case 'wrote':
      return [
        { level: 'error', title, message: [found.message, found.hint ?? ''].join('\n').trimEnd(), ...own },
      ];
    default:
      return assertNever(found);
  }
}
