import type { Parser } from 'web-tree-sitter';
import { rulesOf } from './configuration-comments.ts';
import type { CommentedResource } from './configuration-comments.ts';
import { childrenOf, commentedAmong, unquoted } from './configuration-nodes.ts';
import { usesIn } from './configuration-uses.ts';
import type { ConfigurationUse } from './configuration-uses.ts';
import { isSensitive, itemsOf, literalsIn, valuesIn } from './configuration-values.ts';
import type { ConfiguredValue, LiteralLocal } from './configuration-values.ts';

/** A file of Terraform's configuration. */
export interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
}

/** A resource block: its comments, and what it does not spell out. */
export interface ResourceBlock extends CommentedResource {
  readonly type: string;
  readonly name: string;
  readonly path: string;
  /** What `for_each` goes through; null where it is computed, or where there is none. */
  readonly each: ConfiguredValue | null;
  readonly uses: readonly ConfigurationUse[];
}

/** A call of a module, with the values that it gives to the variables of the module. */
export interface ModuleCall {
  readonly name: string;
  readonly path: string;
  readonly each: ConfiguredValue | null;
  readonly values: ReadonlyMap<string, ConfiguredValue>;
}

/** What a file of the configuration has that an import takes values and comments from. */
export interface ConfigurationBlocks {
  readonly resources: readonly ResourceBlock[];
  readonly calls: readonly ModuleCall[];
  /** What locals spell out, and the defaults of variables, by the names that expressions have for them: `local.office`, `var.limit`. */
  readonly literals: ReadonlyMap<string, LiteralLocal>;
  /** Variables that are marked as sensitive: `var.key`. */
  readonly sensitive: ReadonlySet<string>;
}

/** Reads the blocks of a file: resources of some types, modules, locals and variables. Blocks that cannot be parsed are passed over. */
export function configurationBlocks(
  parser: Parser,
  { path, text }: ConfigurationFile,
  types: readonly string[],
): ConfigurationBlocks {
  const resources: ResourceBlock[] = [];
  const calls: ModuleCall[] = [];
  const literals = new Map<string, LiteralLocal>();
  const sensitive = new Set<string>();
  const tree = parser.parse(text);
  try {
    commentedAmong(tree?.rootNode, (block, above) => {
      const [keyword, type, name] = childrenOf(block).map((child) => unquoted(child.text));
      if (block.type !== 'block' || block.hasError || type === undefined) {
        return [];
      }
      if (keyword === 'resource' && name !== undefined && types.includes(type)) {
        const each = itemsOf(block);
        resources.push({ type, name, path, above, ...rulesOf(block), each, uses: usesIn(block) });
      }
      if (keyword === 'module') {
        calls.push({ name: type, path, each: itemsOf(block), values: valuesIn(block) });
      }
      if (keyword === 'variable' && isSensitive(block)) {
        sensitive.add(`var.${type}`);
        return [];
      }
      for (const [local, literal] of literalsIn(block, above)) {
        literals.set(local, literal);
      }
      return [];
    });
  } finally {
    tree?.delete();
  }
  return { resources, calls, literals, sensitive };
}
