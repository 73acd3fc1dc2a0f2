import { dirname } from 'node:path';
import { createHash } from 'node:crypto';
import writeFileAtomic from 'write-file-atomic';
import {
  hintForFile,
  makeFolder,
  isDenied,
  isMissing,
  refuseLinks,
  readText,
  holdFile,
  lockOf,
} from '../../files/index.ts';
import { isObject, parsedJson } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { StoredDocument } from '../records/document-record.ts';
import type { RulesetVersion, StoredRule, StoredRuleset } from '../records/ruleset-record.ts';
import type { FileHold } from '../../files/index.ts';
import { documentKey } from './document-store.ts';
import type { Store, StoreContent } from './store.ts';

const FORMAT = 'rulewright-emulator-state';
const VERSION = 2;

/**
 * Encodes a store's content as the text of a state file: one line with format, version and digest, and one line with
 * the content. A rule is written once, however many versions of its ruleset hold it.
 */
export function encodeState(content: StoreContent): string {
  const packed = JSON.stringify({ ...content, rulesets: content.rulesets.map(pack) });
  return `${JSON.stringify({ format: FORMAT, version: VERSION, digest: digest(packed) })}\n${packed}\n`;
}

/**
 * Decodes the text of a state file. Throws an error that says whether the text is not a state file, has another
 * version, or has been altered.
 */
export function decodeState(text: string, path: string): StoreContent {
  const end = text.indexOf('\n');
  const head = parsedJson(end < 0 ? text : text.slice(0, end));
  if (!isObject(head) || head['format'] !== FORMAT) {
    throw new Error(`${path} is not a state file of the emulator, or it is damaged; ${ADVICE}`);
  }
  if (head['version'] !== VERSION && head['version'] !== FIRST_VERSION) {
    throw new Error(
      `the state file ${path} has version ${String(head['version'])}, this emulator reads version ${VERSION}; ${ADVICE}`,
    );
  }
  const packed = text.slice(end + 1).trimEnd();
  const content = parsedJson(packed);
  if (digest(packed) !== head['digest'] || !isPacked(content)) {
    throw new Error(`the state file ${path} is damaged: its content does not fit its digest; ${ADVICE}`);
  }
  const { zoneObjects = [], ...rest } = content;
  const documents = [...(rest.documents ?? []), ...zoneObjects.map((object) => asDocument(object, rest))];
  return { ...rest, documents, rulesets: content.rulesets.map(unpack) };
}

/** The version that kept objects of zones, accounts and users apart from documents. */
const FIRST_VERSION = 1;

/** Where each family of these objects is kept now, below its owner. */
const PATHS = {
  rate_limits: '/rate_limits',
  page_rules: '/pagerules',
  lockdowns: '/firewall/lockdowns',
  ua_rules: '/firewall/ua_rules',
  access_rules: '/firewall/access_rules/rules',
  dns_records: '/dns_records',
  detections: '/leaked-credential-checks/detections',
} as const;

interface FirstVersionObject {
  readonly id: string;
  /** The id of the owner. */
  readonly zone: string;
  readonly family: keyof typeof PATHS;
  readonly body: WireObject;
}

function asDocument(
  { id, zone: owner, family, body }: FirstVersionObject,
  { accounts, users }: Pick<StoreContent, 'accounts' | 'users'>,
): StoredDocument {
  const has = (records: readonly { readonly id: string }[]): boolean =>
    records.some((each) => each.id === owner);
  const kind = has(accounts) ? 'accounts' : has(users) ? 'users' : 'zones';
  const group = `${kind}/${owner}${PATHS[family]}`;
  return { key: documentKey(group, id), group, id, value: body };
}

const ADVICE = 'move it away to start from the seed';

type PackedVersion = Omit<RulesetVersion, 'rules'> & { readonly rules: readonly number[] };
type PackedRuleset = Omit<StoredRuleset, 'versions'> & {
  readonly pool: readonly StoredRule[];
  readonly versions: readonly PackedVersion[];
};
type PackedContent = Omit<StoreContent, 'rulesets'> & {
  readonly rulesets: readonly PackedRuleset[];
  readonly zoneObjects?: readonly FirstVersionObject[];
};

function pack(ruleset: StoredRuleset): PackedRuleset {
  const places = new Map<StoredRule, number>();
  const placeOf = (rule: StoredRule): number => {
    const place = places.get(rule) ?? places.size;
    places.set(rule, place);
    return place;
  };
  const versions = ruleset.versions.map((version) => ({ ...version, rules: version.rules.map(placeOf) }));
  return { ...ruleset, versions, pool: [...places.keys()] };
}

function unpack({ pool, ...ruleset }: PackedRuleset): StoredRuleset {
  const versions = ruleset.versions.map((version) => ({
    ...version,
    rules: version.rules.flatMap((place) => pool[place] ?? []),
  }));
  return { ...ruleset, versions };
}

// The digest vouches for the rest: only this module writes content whose digest fits.
function isPacked(value: unknown): value is PackedContent {
  return isObject(value) && Array.isArray(value['rulesets']);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Where a store is persisted: the content found there, and how to save the current content. */
export interface Keeper {
  readonly content: StoreContent | undefined;
  save(store: Store): Promise<void>;
}

/** Persists nothing. */
export const memory: Keeper = { content: undefined, save: () => Promise.resolve() };

/**
 * Opens a state file; a file that does not exist yet has no content. Each save replaces the whole file, so that a kill
 * at any moment leaves either the old state or the new one. Throws when the file is damaged, of another version, or not
 * a regular file (reading a pipe would block).
 */
export async function openStateFile(path: string): Promise<Keeper> {
  await refuseLinks(path);
  const text = await textIn(path);
  await makeFolder(dirname(path));
  return { content: text === undefined ? undefined : decodeState(text, path), save: createSaver(path) };
}

async function textIn(path: string): Promise<string | undefined> {
  const read = await readText(path, path);
  if (read.kind === 'text') {
    return read.text;
  }
  if (isMissing(read.cause)) {
    return undefined;
  }
  throw new Error(`the state file ${path} ${read.reason}`, { cause: read.cause });
}

/** Creates a save function that never writes twice at once: all saves requested during a write share the next write. */
function createSaver(path: string): (store: Store) => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  const write = async (store: Store): Promise<void> => {
    waiting = undefined;
    running = refuseLinks(path).then(() => writeFileAtomic(path, encodeState(store.content())));
    await running.finally(() => {
      running = undefined;
    });
  };
  return (store) => {
    if (running === undefined && waiting === undefined) {
      return write(store);
    }
    waiting ??= (running ?? Promise.resolve()).catch(() => undefined).then(() => write(store));
    return waiting;
  };
}

/** Holds a state file, so that no two emulators write it, and returns its release. Throws an error that names the process that holds it already. */
export async function holdStateFile(path: string): Promise<() => Promise<void>> {
  const hold = await tryToHold(path);
  if (hold.kind === 'held') {
    return hold.release;
  }
  const { holder } = hold;
  const who =
    holder === null ? 'another emulator' : `the emulator with the process id ${holder.pid} on ${holder.host}`;
  throw new Error(
    `the state file ${path} is in use by ${who}; stop that one or name another file (what a crash left is free within a minute; if no emulator runs, remove ${lockOf(path)})`,
  );
}

async function tryToHold(path: string): Promise<FileHold> {
  try {
    return await holdFile(path, Date.now);
  } catch (error) {
    if (isDenied(error)) {
      throw new Error(
        `the state of the emulator cannot be kept in ${path}: this user may not write there; give another file with --emulator-state, or --state of rulewright emulator`,
        { cause: error },
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the state file ${path} cannot be held by one emulator: ${reason}; ${hintForFile(error) ?? `${lockOf(path)} has to be a file that this user can read and write`}`,
      { cause: error },
    );
  }
}
