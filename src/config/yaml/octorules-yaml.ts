import { isMap, isSeq } from 'yaml';
import type { Node, ScalarTag } from 'yaml';
import type { JsonValue } from '../../data/index.ts';
import type { SourceText } from '../source/source-text.ts';
import { parseYaml } from './parse-yaml.ts';
import type { ParsedYaml } from './parse-yaml.ts';
import { keyName, pathKey } from './yaml-document.ts';
import type { ValuePath, YamlDocument } from './yaml-document.ts';

/** No file has this character as it is; one that spells it asks for a file all the same, which is as good as the tag. */
const INCLUDED = '\u0000include ';

const INCLUDE: ScalarTag = { tag: '!include', resolve: (path) => INCLUDED + path };

/** octorules reads YAML 1.1, where these words are no texts. */
const WORDS: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:yes|no|on|off)$/iu,
  resolve: (word) => /^(?:yes|on)$/iu.test(word),
};

/** Parses a file of octorules as `parseYaml` does a file of a project. */
export function parseOctorulesYaml(source: SourceText): ParsedYaml {
  return parseYaml(source, [INCLUDE, WORDS]);
}

/** Returns the path of the file that stands for a value; undefined for any other value. */
export function includedPath(value: JsonValue): string | undefined {
  return typeof value === 'string' && value.startsWith(INCLUDED) ? value.slice(INCLUDED.length) : undefined;
}

/** Returns the comments above keys and items, line by line, by their paths (`pathKey`). */
export function commentsAbove({ root }: YamlDocument): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const visit = (node: Node | null, path: ValuePath): void => {
    // What stands above the first of its parts is kept with the whole.
    const above = linesOf(node?.commentBefore);
    const add = (key: Node | null, index: number, at: ValuePath): void => {
      const lines = [...(index === 0 ? above : []), ...linesOf(key?.commentBefore)];
      if (lines.length > 0) {
        found.set(pathKey(at), lines);
      }
    };
    if (isMap<Node, Node | null>(node)) {
      for (const [index, { key, value }] of node.items.entries()) {
        const at = [...path, keyName(key) ?? ''];
        add(key, index, at);
        visit(value, at);
      }
    } else if (isSeq<Node>(node)) {
      for (const [index, item] of node.items.entries()) {
        const at = [...path, index];
        add(item, index, at);
        visit(item, at);
      }
    }
  };
  visit(root, []);
  return found;
}

function linesOf(comment: string | null | undefined): readonly string[] {
  return (comment ?? '').split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
