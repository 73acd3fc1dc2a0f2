import type { NotPutBack } from '../../model/index.ts';
import { versionCommand } from '../write/command-on-version.ts';
import { entriesIn, partsOfRun, putBackIn } from './read-journal.ts';

/** Rulesets that a run wrote and could not put back, and the service that they are on. */
interface LeftBehind {
  readonly service: string;
  readonly rulesets: readonly NotPutBack[];
}

/**
 * Returns the rulesets that the last run of a journal wrote, and could not put back after it had failed. It came to its end, so that the next run
 * plans what is left of it as any other. Null where all went back, or the last run was none such. Throws `apply/journal`.
 */
export async function readNotPutBack(path: string): Promise<LeftBehind | null> {
  const entries = await entriesIn(path);
  const run = entries.findLast(({ kind }) => kind === 'run')?.['run'];
  const own = entries.filter((entry) => entry['run'] === run);
  if (typeof run !== 'string' || own.findLast(({ kind }) => kind === 'end')?.['result'] !== 'partial') {
    return null;
  }
  const parts = partsOfRun(run, own);
  const whole = putBackIn(parts);
  const wentBack = parts.some(({ purpose, steps }) => purpose === 'rollback' && steps.length > 0);
  const left = parts
    .filter(({ purpose }) => purpose === 'apply')
    .flatMap(({ steps }) => steps)
    .filter(({ step, landed }) => landed > 0 && !whole.has(step));
  const [first] = parts;
  return first === undefined || !wentBack || left.length === 0
    ? null
    : {
        service: first.service,
        rulesets: left.map(({ step, scope, target, base }) => ({
          step,
          command:
            base.kind === 'version'
              ? versionCommand('rollback', { scope, target, option: `--to ${base.version}` })
              : null,
        })),
      };
}
