import { isJsonObject, listOf, objectOf, textOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { rayOf } from '../../api/index.ts';
import type { OwnWrites } from '../../model/index.ts';
import { isId, RulewrightError } from '../../model/index.ts';
import { linesOf, partsOfRun, putBackIn, readTail } from './read-journal.ts';

/** The most that is read of a journal and of the one before it: what is older does not matter, since later writes followed. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Reads which writes to a service a journal tells of, by what the audit log calls them. A journal that is missing or cannot be read tells of none: then
 * they are told as those of the token that made them.
 */
export async function readOwnWrites(path: string, service: string): Promise<OwnWrites> {
  const texts = await Promise.all([`${path}.1`, path].map(textIn));
  return ownWritesIn(texts.flatMap(linesOf), service);
}

async function textIn(path: string): Promise<string> {
  try {
    return (await readTail(path, MOST_BYTES)).text;
  } catch (error) {
    if (error instanceof RulewrightError) {
      return '';
    }
    throw error;
  }
}

function ownWritesIn(entries: readonly JsonObject[], service: string): OwnWrites {
  const ids = new Map<string, string>();
  const versions = new Map<string, number>();
  const rulesets = new Map<string, string>();
  const heads = new Map<string, boolean>();
  const undone = new Set<string>();
  const putBack = stepsPutBack(entries);
  for (const entry of entries) {
    const { kind, run, step, version } = entry;
    const isUndone = putBack.has(stepKey(run, step));
    if (kind === 'run') {
      heads.set(textOf(run), textOf(entry['service']) === service);
      listOf(heads.get(textOf(run)) === true ? entry['steps'] : []).forEach((one) => {
        const id = textOf(objectOf(objectOf(one)['base'])['id']);
        if (isId(id)) {
          rulesets.set(textOf(objectOf(one)['step']), id);
        }
      });
    }
    if (kind !== 'landed' && kind !== 'failed') {
      continue;
    }
    const isHere = heads.get(textOf(run)) === true;
    for (const receipt of listOf(entry['audit']).filter(isJsonObject)) {
      // The ids of entries are random, and a service may go by several addresses, as the embedded one does. Rays count anew there.
      [textOf(receipt['id']), isHere ? rayOf(textOf(receipt['ray'])) : '']
        .filter((id) => id !== '')
        .forEach((id) => {
          ids.set(id, textOf(step));
          if (isUndone) {
            undone.add(id);
          }
        });
    }
    if (!isHere || isUndone) {
      continue;
    }
    const id = rulesets.get(textOf(step));
    const number = Number(textOf(version));
    if (kind === 'landed' && id !== undefined && number > (versions.get(id) ?? 0)) {
      versions.set(id, number);
    }
  }
  return { ids, undone, versions, rulesets };
}

/** Returns the steps that failed runs have put back whole. */
function stepsPutBack(entries: readonly JsonObject[]): ReadonlySet<string> {
  const runs = new Set(
    entries.flatMap(({ kind, purpose, run }) =>
      kind === 'run' && purpose === 'rollback' && typeof run === 'string' ? [run] : [],
    ),
  );
  return new Set(
    [...runs].flatMap((run) => [...putBackIn(partsOfRun(run, entries))].map((step) => stepKey(run, step))),
  );
}

function stepKey(run: JsonValue | undefined, step: JsonValue | undefined): string {
  return JSON.stringify([run, step]);
}
