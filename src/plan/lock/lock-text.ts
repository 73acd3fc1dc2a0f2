import { RulewrightError, errorMessage } from '../../model/error.ts';
import type { JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { LockedRuleset, ManagedLock } from '../../model/managed-lock.ts';
import { LOCK_FILE } from '../../model/managed-lock.ts';

/** Returns the text of the lock file; equal locks give equal bytes. */
export function lockText({ rulesets }: ManagedLock): string {
  const written = rulesets.map(({ meets, ...head }) => ({ ...head, meets: Object.fromEntries(meets) }));
  return `${JSON.stringify({ version: 1, rulesets: written }, null, 2)}\n`;
}

/** Parses the text of a lock file. Throws `lock/invalid` with the place of the first error. */
export function parseLock(text: string): ManagedLock {
  const document = parseJson(text);
  if (!isJsonObject(document) || document['version'] !== 1) {
    throw invalid('it has no "version": 1');
  }
  const { rulesets } = document;
  if (!isJsonArray(rulesets)) {
    throw invalid('rulesets is not a list');
  }
  return { rulesets: rulesets.map((entry, index) => readRuleset(entry, `rulesets[${index}]`)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(errorMessage(error));
  }
}

function readRuleset(entry: JsonValue, place: string): LockedRuleset {
  if (!isJsonObject(entry)) {
    throw invalid(`${place} is not an object`);
  }
  const { id, name, version, meets } = entry;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof version !== 'string') {
    throw invalid(`${place} needs id, name and version as texts`);
  }
  if (!isJsonObject(meets)) {
    throw invalid(`${place}.meets is not an object`);
  }
  const read = Object.entries(meets).map(([key, ids]) => {
    if (!isJsonArray(ids) || !ids.every((one) => typeof one === 'string')) {
      throw invalid(`${place}.meets[${JSON.stringify(key)}] is not a list of rule ids`);
    }
    return [key, ids] as const;
  });
  return { id, name, version, meets: new Map(read) };
}

function invalid(problem: string): RulewrightError {
  return new RulewrightError(`${LOCK_FILE} cannot be read: ${problem}`, {
    code: 'lock/invalid',
    fault: 'user',
    hint: 'restore it from Git, or write it again with rulewright catalog --lock',
  });
}
