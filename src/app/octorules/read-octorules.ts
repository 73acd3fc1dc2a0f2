import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { commentsAbove, includedPath, parseOctorulesYaml, readSource } from '../../config/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject } from '../../data/index.ts';
import { exists, isInside, isMissing } from '../../files/index.ts';
import { readOctorulesConfig, readOctorulesFile } from '../../import/index.ts';
import type { LeftInSource, OctorulesZone, StatedResources } from '../../import/index.ts';
import { errorMessage, RulewrightError } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';

/** A configuration of octorules, and what its files have. */
export interface OctorulesSource {
  readonly kind: 'octorules';
  /** As it was named. */
  readonly file: string;
  /** Zones and accounts by name: those are not looked up yet. */
  readonly resources: StatedResources;
  /** The names of the files that are no zone's, by which octorules knows accounts. */
  readonly accounts: readonly string[];
  /** What is to be done by hand. */
  readonly notes: readonly string[];
}

/** Bounds for what is read; each file is bounded as a file of a project. */
const MOST = { files: 5000, includes: 20, characters: 16 * 1024 * 1024 } as const;

/** A file that is being read, and what it includes. */
interface Whole {
  characters: number;
}

/** Reads a configuration, and all files with rules that it leads to. Throws `import/octorules`. */
export async function readOctorules(file: string, cwd: string): Promise<OctorulesSource> {
  const path = resolve(cwd, file);
  // The rules may lie beside the folder of the configuration, but not outside of where the command runs.
  const bounds = isInside(cwd, path) ? cwd : dirname(path);
  if (!(await exists(path))) {
    throw refused(`there is no ${file}`, 'name the config.yaml that octorules is run with');
  }
  const read = createReader(bounds);
  const config = readOctorulesConfig((await read(relative(bounds, path), file)).value);
  if (typeof config === 'string') {
    throw refused(`${file} ${config}`, 'name the config.yaml that octorules is run with');
  }
  const folder = resolve(dirname(path), config.rules);
  if (!isInside(bounds, folder)) {
    throw refused(
      `the folder of the rules, ${config.rules}, lies outside of ${bounds === cwd ? 'this folder' : 'the folder of the configuration'}`,
      'run the command in a folder that has both',
    );
  }
  const stems = await stemsIn(folder, config.rules);
  const template = config.zones.find(({ name }) => name === '*');
  const named = new Map(config.zones.map((zone) => [zone.name, zone]));
  const resources = { ...NOTHING, left: config.left.map(({ zone, why }) => leftZone(zone, why)) };
  const notes = [...config.notes];
  const accounts: string[] = [];
  const take = async (stem: string, zone: OctorulesZone | undefined): Promise<void> => {
    const shown = relative(dirname(path), join(folder, `${stem}.yaml`));
    const { value, comments } = await read(relative(bounds, join(folder, `${stem}.yaml`)), shown);
    if (!isJsonObject(value)) {
      if (zone === undefined) {
        // What others include; octorules reads the files of zones and accounts only.
        notes.push(`${shown} is the file of no zone or account, and is read only where others include it.`);
        return;
      }
      throw refused(`${shown} is no mapping`, 'leave the file out, or mend it');
    }
    if (zone === undefined) {
      accounts.push(stem);
    }
    const found = readOctorulesFile(value, {
      path: shown,
      scope: zone === undefined ? { kind: 'account', id: stem } : { kind: 'zone', id: zone.resource },
      target: zone?.target ?? null,
      comments,
    });
    resources.rulesets = [...resources.rulesets, ...found.rulesets];
    resources.lists = [...resources.lists, ...found.lists];
    resources.settings = [...resources.settings, ...found.settings];
    resources.left = [...resources.left, ...found.left];
    const ignored = found.rulesets.flatMap(({ rules }) =>
      rules.flatMap(({ ref, follows }) => (follows === undefined ? [] : [ref])),
    );
    if (ignored.length > 0) {
      notes.push(
        `octorules ignores ${someNames(ignored, 3)} of ${shown}, and the files have each as it is live: add ignore, with a reason and a last day (docs/safety.md).`,
      );
    }
    if (zone !== undefined && zone.processors.length > 0) {
      notes.push(
        `octorules has ${zone.processors.join(', ')} change the rules of ${zone.name} on their way (processors): compare the plan.`,
      );
    }
  };
  for (const stem of stems) {
    const zone =
      named.get(stem) ??
      (template !== undefined && stem.includes('.')
        ? { ...template, name: stem, resource: stem }
        : undefined);
    const isLeft = config.left.some((one) => one.zone === stem);
    if (!isLeft) {
      await take(stem, zone);
    }
  }
  for (const { name } of config.zones) {
    if (name !== '*' && !stems.includes(name)) {
      resources.left = [
        ...resources.left,
        leftZone(name, `there is no ${join(config.rules, `${name}.yaml`)}`),
      ];
    }
  }
  return { kind: 'octorules', file, resources, accounts, notes };
}

const NOTHING: StatedResources = { rulesets: [], lists: [], settings: [], left: [], others: new Map() };

function leftZone(zone: string, why: string): LeftInSource {
  const instance = `zone ${zone}`;
  return { address: { instance, resource: instance, type: '', name: '', note: '' }, why };
}

/** Returns the names of the files with rules, without their suffix: those of a folder, and of no folder in it. */
async function stemsIn(folder: string, shown: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(await realpath(folder));
    const stems = entries.flatMap((name) => (/^[^.].*\.yaml$/u.test(name) ? [basename(name, '.yaml')] : []));
    if (stems.length > MOST.files) {
      throw refused(`${shown} has more than ${MOST.files} files`, 'import in parts');
    }
    return stems.toSorted();
  } catch (error) {
    if (error instanceof RulewrightError) {
      throw error;
    }
    throw refused(
      isMissing(error) ? `there is no folder ${shown}` : `${shown}: ${errorMessage(error)}`,
      'name the config.yaml that octorules is run with',
    );
  }
}

interface ReadFile {
  readonly value: JsonValue;
  readonly comments: ReadonlyMap<string, readonly string[]>;
}

/** Returns a function that reads one file below a folder, with what it includes in its place. */
function createReader(bounds: string): (path: string, shown: string) => Promise<ReadFile> {
  let files = 0;
  const read = async (
    path: string,
    shown: string,
    { around, whole }: { readonly around: readonly string[]; readonly whole: Whole },
  ): Promise<ReadFile> => {
    files += 1;
    if (files > MOST.files || around.length > MOST.includes || around.includes(path)) {
      throw refused(`${shown} includes itself, or too many files`, 'take the !include out');
    }
    const found = await readSource(bounds, path);
    whole.characters += found.kind === 'read' ? found.source.text.length : 0;
    if (whole.characters > MOST.characters) {
      throw refused(
        `${shown} is too large with all that is included: more than ${MOST.characters / 1024 / 1024} MiB`,
        'take the !include out, or split the file',
      );
    }
    const parsed =
      found.kind === 'read' ? parseOctorulesYaml(found.source) : { diagnostics: [found.diagnostic] };
    if (!('document' in parsed) || parsed.document === undefined) {
      const [first] = parsed.diagnostics;
      if (first?.code === 'yaml/empty-file') {
        // So octorules dumps a zone without rules.
        return { value: {}, comments: new Map() };
      }
      throw refused(
        `${shown}:${first?.where?.start.line ?? 1}: ${first?.message ?? 'cannot be read'}`,
        first?.hint ?? 'leave the file out, or mend it',
      );
    }
    const fill = async (value: JsonValue): Promise<JsonValue> => {
      const included = includedPath(value);
      if (included !== undefined) {
        const target = join(dirname(path), included);
        if (!isInside(dirname(path), target)) {
          throw refused(
            `${shown} includes ${included}, which lies outside of the folder ${dirname(shown)}`,
            'move the file into that folder: octorules reads no other either',
          );
        }
        return (await read(target, join(dirname(shown), included), { around: [...around, path], whole }))
          .value;
      }
      return hasInclude(value) ? mapMembers(value, fill) : value;
    };
    return { value: await fill(parsed.document.value), comments: commentsAbove(parsed.document) };
  };
  return (path, shown) => read(path, shown, { around: [], whole: { characters: 0 } });
}

function hasInclude(value: JsonValue): boolean {
  return isJsonArray(value)
    ? value.some(hasInclude)
    : isJsonObject(value)
      ? Object.values(value).some(hasInclude)
      : includedPath(value) !== undefined;
}

async function mapMembers(
  value: JsonValue,
  change: (member: JsonValue) => Promise<JsonValue>,
): Promise<JsonValue> {
  if (isJsonArray(value)) {
    return Promise.all(value.map(change));
  }
  const changed: JsonObject = isJsonObject(value) ? value : {};
  return Object.fromEntries(
    await Promise.all(
      Object.entries(changed).map(async ([key, member]) => [key, await change(member)] as const),
    ),
  );
}

function refused(message: string, hint: string): RulewrightError {
  return new RulewrightError(message, { code: 'import/octorules', fault: 'user', hint });
}
