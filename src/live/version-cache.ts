import { createHash } from 'node:crypto';
import type { Clock } from '../network/index.ts';
import { decodeRuleset } from '../api/index.ts';
import {
  RulewrightError,
  contentToWire,
  ENTRYPOINT_KIND,
  scopeLabel,
  listItemToWire,
  liveListItem,
  plainEntrypoints,
} from '../model/index.ts';
import type { JsonObject } from '../data/index.ts';
import { canonicalJson, isJsonObject, listOf, objectOf, parsedJson, textsIn } from '../data/index.ts';
import type {
  LiveListHead,
  LiveListItem,
  LiveRuleset,
  LiveRulesetHead,
  RulesetAddress,
  Scope,
  DesiredScope,
  LiveScope,
} from '../model/index.ts';
import type { CacheFiles } from './cache-files.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/** Options of the cache. */
interface VersionCacheOptions {
  readonly files: CacheFiles;
  readonly clock: Clock;
  /** The number of days within which every scope is read in full once; null when this run does not do that. */
  readonly sweepDays: number | null;
  readonly warn: (problem: string) => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Stands for the digest of the list when absence was proven without a list. */
const UNSEEN = '-';

/** The lifetime of a proof of absence: a token's permissions can change unnoticed. */
const ABSENCE_MS = DAY_MS;

/**
 * Creates the cache of a run. With `sweepDays` a share of the scopes, chosen by scope id and day, is read in full each day, in case the
 * service changes a ruleset without changing its version. Content that differs from the cached content of the same version is reported.
 */
export function versionCache({ files, clock, sweepDays, warn }: VersionCacheOptions): RulesetCache {
  const isDue = ({ id }: Pick<Scope, 'id'>): boolean =>
    sweepDays !== null && isSweepDay(id, Math.floor(clock.now() / DAY_MS), sweepDays);
  const endAbsence = ({ kind, phase }: LiveRulesetHead, scope: Scope): Promise<void> =>
    kind === ENTRYPOINT_KIND[scope.kind] ? files.remove(absenceOf(scope, phase)) : Promise.resolve();
  return {
    find: async (scope, head) => (isDue(scope) ? null : readKept(files, scope, head)),
    keep: async (scope, ruleset) => {
      const text = JSON.stringify(wireOf(ruleset));
      const kept = isDue(scope) ? await readKept(files, scope, ruleset) : null;
      if (kept !== null && canonicalJson(kept) !== canonicalJson(ruleset)) {
        warn(
          `${scopeLabel(scope)}: ruleset ${ruleset.id} changed, but its version ${ruleset.version} did not move; use --no-cache until this is understood`,
        );
      }
      await files.write(addressOf(scope, ruleset), text);
      await endAbsence(ruleset, scope);
    },
    forget: async (scope, head) => {
      await files.remove(addressOf(scope, head));
      await endAbsence(head, scope);
    },
    knowsAbsent: async (scope, phase, listed) => {
      const text = isDue(scope) ? null : await files.read(absenceOf(scope, phase));
      const [seen, provenAt] = text?.split(' ') ?? [];
      const age = clock.now() - Number(provenAt ?? Number.NaN);
      const shown = shownOf(phase, listed);
      if (!(age >= 0 && age < ABSENCE_MS) || (seen !== shown && seen !== UNSEEN)) {
        return false;
      }
      if (seen === UNSEEN) {
        await files.write(absenceOf(scope, phase), `${shown} ${provenAt}`);
      }
      return true;
    },
    keepAbsent: (scope, phase, listed) =>
      files.write(
        absenceOf(scope, phase),
        `${listed === null ? UNSEEN : shownOf(phase, listed)} ${clock.now()}`,
      ),
    findItems: async (scope, head) =>
      head.modifiedOn === '' || isDue(scope) ? null : itemsIn(await files.read(itemsOf(scope, head)), head),
    keepItems: (scope, head, items) =>
      files.write(
        itemsOf(scope, head),
        JSON.stringify(items.map(({ id, item }) => ({ ...listItemToWire(item), id }))),
      ),
    note: (desired, live) => files.write(noteOf(desired), JSON.stringify(writeNote(live, clock.now()))),
    estimateRequests: async (desired) => {
      const note = readNote(await files.read(noteOf(desired)));
      return note === null || isDue(note) ? null : requestsAfter(note, desired, clock.now() - ABSENCE_MS);
    },
  };
}

/** Whether a scope is read in full on a day (counted from 1970): each scope once in `days` days, evenly spread. */
export function isSweepDay(scopeId: string, day: number, days: number): boolean {
  const number = createHash('sha256').update(scopeId).digest().readUInt32BE(0);
  return number % days === day % days;
}

async function readKept(files: CacheFiles, scope: Scope, head: LiveRulesetHead): Promise<LiveRuleset | null> {
  const text = await files.read(addressOf(scope, head));
  const ruleset = text === null ? null : decoded(text);
  return ruleset?.id === head.id &&
    ruleset.version === head.version &&
    ruleset.lastUpdated === head.lastUpdated &&
    ruleset.kind === head.kind &&
    ruleset.phase === head.phase
    ? ruleset
    : null;
}

function addressOf(scope: Scope, { id, version, lastUpdated }: LiveRulesetHead): readonly string[] {
  return ['ruleset', scope.kind, scope.id, id, version, lastUpdated];
}

function itemsOf(scope: Scope, { id, modifiedOn, itemCount }: LiveListHead): readonly string[] {
  return ['items', scope.id, id, modifiedOn, String(itemCount)];
}

function itemsIn(text: string | null, { kind, itemCount }: LiveListHead): readonly LiveListItem[] | null {
  const kept = text === null ? [] : listOf(parsedJson(text));
  const items = kept.flatMap((entry): readonly LiveListItem[] => {
    const item = isJsonObject(entry) && typeof kind === 'string' ? liveListItem(kind, entry) : null;
    const id = objectOf(entry)['id'];
    return item === null || typeof id !== 'string' ? [] : [{ id, item }];
  });
  return text !== null && items.length === itemCount ? items : null;
}

function absenceOf(scope: Scope, phase: string): readonly string[] {
  return ['absent', scope.kind, scope.id, phase];
}

/** Returns a digest of the ids of a phase's rulesets in the list, without versions. */
function shownOf(phase: string, listed: readonly LiveRulesetHead[]): string {
  const ids = listed.filter((head) => head.phase === phase).map(({ id }) => id);
  return createHash('sha256').update(ids.sort().join(' ')).digest('hex');
}

function noteOf({ scope }: Pick<DesiredScope, 'scope'>): readonly string[] {
  return ['note', scope.kind, scope.name];
}

/** Returns the ruleset in the format of the service, so that the same decoder reads it. */
function wireOf({ rules, lastUpdated, ...head }: LiveRuleset): JsonObject {
  return {
    ...head,
    last_updated: lastUpdated,
    rules: rules.map(({ id, ref, content, categories }) => ({
      id,
      ref,
      ...(categories === undefined ? {} : { categories }),
      ...contentToWire(content),
    })),
  };
}

function decoded(text: string): LiveRuleset | null {
  try {
    return decodeRuleset(JSON.parse(text));
  } catch (error) {
    if (error instanceof RulewrightError || error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}

/** A summary of a scope that was read, for estimating the requests that reading it again takes. */
interface ScopeNote {
  readonly id: string;
  /** The addresses with a ruleset, and below those without, as text. */
  readonly present: readonly string[];
  readonly absent: readonly string[];
  /** The time of the note in milliseconds since 1970; the proofs of absence are about as old. */
  readonly at: number;
}

/** Returns the note about a scope that was just read. */
function writeNote({ scope, entries }: Pick<LiveScope, 'scope' | 'entries'>, at: number): ScopeNote {
  const places = (kind: 'present' | 'absent'): readonly string[] =>
    entries.filter(({ slot }) => slot.kind === kind).map(({ address }) => placeOf(address));
  return { id: scope.id, present: places('present'), absent: places('absent'), at };
}

/** Parses a note; null when there is none or it is invalid. */
function readNote(text: string | null): ScopeNote | null {
  const note: unknown = text === null ? null : JSON.parse(text);
  if (!isJsonObject(note) || typeof note['id'] !== 'string' || typeof note['at'] !== 'number') {
    return null;
  }
  return {
    id: note['id'],
    present: textsIn(note['present']),
    absent: textsIn(note['absent']),
    at: note['at'],
  };
}

/**
 * Estimates the requests of the next reading if nothing has changed: the list, rulesets that are not cached, and proofs of absence from
 * before `since`; or one for each entry point, when reading without the list takes fewer.
 */
function requestsAfter(note: ScopeNote, desired: DesiredScope, since: number): number {
  const isKnown = (address: RulesetAddress): boolean =>
    note.present.includes(placeOf(address)) ||
    // The list alone proves that a custom ruleset is absent.
    (note.absent.includes(placeOf(address)) && (address.kind === 'custom' || note.at > since));
  const byList = 1 + desired.rulesets.filter(({ address }) => !isKnown(address)).length;
  return Math.min(byList, plainEntrypoints(desired)?.length ?? byList);
}

function placeOf(address: RulesetAddress): string {
  return address.kind === 'custom' ? `custom ${address.phase} ${address.name}` : address.phase;
}
