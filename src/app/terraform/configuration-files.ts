import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import type { Parser } from 'web-tree-sitter';
import { groupBy, isJsonObject } from '../../data/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { NODE_MODULES, findFiles, readText, unreadText } from '../../files/index.ts';
import { commentedResources, literalLocals } from '../../import/index.ts';
import type { CommentedResource, ConfigurationFile, LiteralLocal } from '../../import/index.ts';
import { RulewrightError } from '../../model/index.ts';

/** A resource block, and what the configuration calls values of it. */
export interface ConfiguredResource extends CommentedResource {
  /** What `for_each` goes through, as far as it is spelled out; null where nobody can tell. */
  readonly items: JsonObject | null;
  /** The locals that it uses and that are spelled out. */
  readonly literals: ReadonlyMap<string, LiteralLocal>;
}

/** Resources of a configuration by type and name, such as `cloudflare_ruleset.waf`; several where modules use one name. */
export type Configuration = ReadonlyMap<string, readonly ConfiguredResource[]>;

/** Folders without configuration of the project's own, and bounds for what is read from elsewhere. */
const PASSED: ReadonlySet<string> = new Set(['.terraform', '.git', ...NODE_MODULES]);
const MOST = { files: 5000, bytes: 2 * 1024 * 1024 } as const;

/** Reads the resources of some types from all `*.tf` files of a folder and those below it. Throws `import/terraform-configuration`. */
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
    const modules = [...groupBy(files, ({ path }) => dirname(path)).values()];
    const all = modules.flatMap((some) => {
      const locals = new Map(some.flatMap(({ text }) => [...literalLocals(parser, text)]));
      return some
        .flatMap((file) => commentedResources(parser, file, types))
        .map((resource) => configured(resource, locals));
    });
    return groupBy(all, ({ type, name }) => `${type}.${name}`);
  } finally {
    parser.delete();
  }
}

function configured(
  resource: CommentedResource,
  locals: ReadonlyMap<string, LiteralLocal>,
): ConfiguredResource {
  const { each, locals: used } = resource;
  const items = each?.kind === 'local' ? locals.get(each.name)?.value : each?.items;
  return {
    ...resource,
    items: isJsonObject(items) ? items : null,
    literals: new Map(
      used.flatMap((name): readonly (readonly [string, LiteralLocal])[] => {
        const local = locals.get(name);
        return local === undefined ? [] : [[name, local]];
      }),
    ),
  };
}

async function filesIn(root: string, shown: string): Promise<readonly string[]> {
  const { files, unread } = await findFiles({
    cwd: root,
    patterns: ['**/*.tf'],
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
      `${shown} has ${files.length === 0 ? 'no' : `more than ${MOST.files}`} files that end in .tf`,
      'name the folder of the configuration',
    );
  }
  return files.toSorted();
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
