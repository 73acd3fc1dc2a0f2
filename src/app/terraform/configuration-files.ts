import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import type { Parser } from 'web-tree-sitter';
import { groupBy, isJsonObject } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { NODE_MODULES, findFiles, readText, unreadText } from '../../files/index.ts';
import { configurationBlocks } from '../../import/index.ts';
import type {
  ConfigurationBlocks,
  ConfigurationFile,
  ConfiguredValue,
  LiteralLocal,
  ModuleCall,
  ResourceBlock,
} from '../../import/index.ts';
import { RulewrightError } from '../../model/index.ts';

/** A resource block, and what the configuration calls values of it. */
export interface ConfiguredResource extends ResourceBlock {
  /** The folder of its module. */
  readonly folder: string;
  /** What `for_each` goes through, as far as it is spelled out; null where nobody can tell. */
  readonly items: JsonObject | null;
  /** The locals and variables that it uses and that are spelled out, by their names: `local.office`. */
  readonly literals: ReadonlyMap<string, LiteralLocal>;
  /** Variables that are marked as sensitive, and those that each instance of its module has of its own: none of them is a value to tell of. */
  readonly untold: ReadonlySet<string>;
}

/** A call of a module. */
export interface ConfiguredCall {
  readonly name: string;
  /** The folder of the module that calls. */
  readonly folder: string;
  /** The folder of the module that is called; null where it lies elsewhere. */
  readonly target: string | null;
  readonly items: JsonObject | null;
}

/** The configuration of Terraform in a folder and those below it. */
export interface Configuration {
  /** Resources by type and name, such as `cloudflare_ruleset.waf`; several where modules use one name. */
  readonly resources: ReadonlyMap<string, readonly ConfiguredResource[]>;
  readonly calls: readonly ConfiguredCall[];
}

/** Folders without configuration of the project's own, and bounds for what is read from elsewhere. */
const PASSED: ReadonlySet<string> = new Set(['.terraform', '.git', ...NODE_MODULES]);
const MOST = { files: 5000, bytes: 2 * 1024 * 1024 } as const;

/** Reads the resources of some types from all `*.tf` and `*.tofu` files of a folder and those below it. Throws `import/terraform-configuration`. */
export async function readConfiguration(
  folder: string,
  cwd: string,
  types: readonly string[],
): Promise<Configuration> {
  const paths = await filesIn(resolve(cwd, folder), folder);
  const parser = await openParser();
  try {
    const files = await Promise.all(paths.map((path) => readOne(resolve(cwd, folder), path)));
    // The files of a folder are one module, and have their locals together.
    const modules = new Map(
      [...groupBy(files, ({ path }) => dirname(path))].map(
        ([folder, some]) =>
          [folder, moduleOf(some.map((file) => configurationBlocks(parser, file, types)))] as const,
      ),
    );
    const lookUp = createLookup(modules);
    const ownOf = (folder: string): readonly string[] =>
      [...modules].flatMap(([caller, { calls }]) =>
        calls
          .filter(({ values }) => targetOf(values, caller) === folder)
          .flatMap(({ values }) =>
            [...values].flatMap(([name, { kind }]) => (kind === 'own' ? [`var.${name}`] : [])),
          ),
      );
    const itemsOf = (each: ConfiguredValue | null, folder: string): JsonObject | null => {
      const value = each === null ? undefined : lookUp(each, folder)?.value;
      return isJsonObject(value) ? value : null;
    };
    const resources = [...modules].flatMap(([folder, module]) =>
      module.resources.map((resource): ConfiguredResource => {
        const names = new Set(resource.uses.flatMap((use) => use.names));
        return {
          ...resource,
          folder,
          items: itemsOf(resource.each, folder),
          literals: new Map(
            [...names].flatMap((name): readonly (readonly [string, LiteralLocal])[] => {
              const literal = lookUp({ kind: 'named', name }, folder);
              return literal === undefined ? [] : [[name, literal]];
            }),
          ),
          untold: new Set([...module.sensitive, ...ownOf(folder)]),
        };
      }),
    );
    return {
      resources: groupBy(resources, ({ type, name }) => `${type}.${name}`),
      calls: [...modules].flatMap(([folder, { calls }]) =>
        calls.map(({ name, each, values }) => ({
          name,
          folder,
          target: targetOf(values, folder),
          items: itemsOf(each, folder),
        })),
      ),
    };
  } finally {
    parser.delete();
  }
}

/** Puts the blocks of the files of one module together. */
function moduleOf(files: readonly ConfigurationBlocks[]): ConfigurationBlocks {
  return {
    resources: files.flatMap(({ resources }) => resources),
    calls: files.flatMap(({ calls }) => calls),
    literals: new Map(files.flatMap(({ literals }) => [...literals])),
    sensitive: new Set(files.flatMap(({ sensitive }) => [...sensitive])),
  };
}

/** Returns the folder of the module that is called; null where it lies elsewhere. */
function targetOf(values: ModuleCall['values'], folder: string): string | null {
  const source = values.get('source');
  return source?.kind === 'literal' && typeof source.value === 'string' && /^\.\.?\//u.test(source.value)
    ? join(folder, source.value)
    : null;
}

/** Modules that call each other are not nested deeper. */
const DEEPEST_CALLS = 20;

/** Returns a function that finds what a value of a module is, as far as it is spelled out: in its own folder, or in the only call of it. */
function createLookup(modules: ReadonlyMap<string, ConfigurationBlocks>) {
  const callsOf = groupBy(
    [...modules].flatMap(([folder, { calls }]) =>
      calls.map(({ values }) => ({ folder, values, target: targetOf(values, folder) })),
    ),
    ({ target }) => target ?? '',
  );
  const lookUp = (value: ConfiguredValue, folder: string, depth = 0): LiteralLocal | undefined => {
    if (value.kind === 'literal') {
      return { value: value.value, above: [] };
    }
    if (value.kind === 'own') {
      return undefined;
    }
    const [root = '', name = '', ...members] = value.name.split('.');
    const [call, another] = callsOf.get(folder) ?? [];
    const given = root === 'var' && another === undefined ? call?.values.get(name) : undefined;
    const found =
      call === undefined || given === undefined || depth > DEEPEST_CALLS
        ? modules.get(folder)?.literals.get(`${root}.${name}`)
        : lookUp(given, call.folder, depth + 1);
    const member = members.reduce<JsonValue | undefined>(
      (around, key) => (isJsonObject(around) && Object.hasOwn(around, key) ? around[key] : undefined),
      found?.value,
    );
    return found === undefined || member === undefined ? undefined : { value: member, above: found.above };
  };
  return lookUp;
}

async function filesIn(root: string, shown: string): Promise<readonly string[]> {
  const { files, unread } = await findFiles({
    cwd: root,
    patterns: ['**/*.tf', '**/*.tofu'],
    passOver: PASSED,
    links: 'pass-over',
    hidden: true,
  }).catch((error: unknown) => {
    throw refused(`${shown} cannot be read`, 'name the folder of the configuration', error);
  });
  const [lost] = unread;
  if (lost !== undefined) {
    throw refused(`${join(shown, lost.path)} ${lost.reason}`, 'name the folder of the configuration');
  }
  if (files.length === 0 || files.length > MOST.files) {
    throw refused(
      `${shown} has ${files.length === 0 ? 'no' : `more than ${MOST.files}`} files that end in .tf or .tofu`,
      'name the folder of the configuration',
    );
  }
  // OpenTofu passes over a file beside which there is one of its own.
  const all = new Set(files);
  return files
    .filter((path) => !path.endsWith('.tf') || !all.has(path.replace(/\.tf$/u, '.tofu')))
    .toSorted();
}

async function readOne(root: string, path: string): Promise<ConfigurationFile> {
  const read = await readText(join(root, path), path);
  if (read.kind === 'unread') {
    throw refused(`${path} ${unreadText(read)}`, 'leave the file out', read.cause);
  }
  if (read.text.length > MOST.bytes) {
    throw refused(`${path} is larger than 2 MiB, which no configuration is`, 'leave the file out');
  }
  return { path, text: read.text };
}

function refused(message: string, hint: string, cause?: unknown): RulewrightError {
  return new RulewrightError(message, { code: 'import/terraform-configuration', fault: 'user', hint, cause });
}

async function openParser(): Promise<Parser> {
  const { Language, Parser: Made } = await import('web-tree-sitter');
  await Made.init({ wasmBinary: await readFile(besideOr('web-tree-sitter.wasm', 'web-tree-sitter')) });
  const grammar = await readFile(
    besideOr('tree-sitter-terraform.wasm', '@tree-sitter-grammars/tree-sitter-hcl'),
  );
  const parser = new Made();
  parser.setLanguage(await Language.load(grammar));
  return parser;
}

/** The build puts the files beside the program; where it runs from its source, they are in their packages. */
function besideOr(name: string, owner: string): string {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`${owner}/${name}`);
}
