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
  test: /^(?:yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/u,
  resolve: (word) => /^(?:yes|on)$/iu.test(word),
};

const INT: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][\d_]*(?::[0-5]?\d)*|0x[\da-fA-F_]+)$/u,
  resolve: (text) => {
    const digits = plainDigits(text);
    return signed(text, /^0[0-7]+$/u.test(digits) ? Number(`0o${digits.slice(1)}`) : inSixties(digits));
  },
};

const FLOAT: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*)$/u,
  resolve: (text) => signed(text, inSixties(plainDigits(text))),
};

/** What else begins as a number is a text in YAML 1.1, such as `1e3` and `0o17`. */
const NO_NUMBER: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  test: /^[-+.\d]/u,
  resolve: (text) => text,
};

function plainDigits(text: string): string {
  return text.replace(/^[-+]/u, '').replaceAll('_', '');
}

function signed(text: string, size: number): number {
  return text.startsWith('-') ? -size : size;
}

/** `1:30` is 90. */
function inSixties(digits: string): number {
  return digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Parses a file of octorules as `parseYaml` does a file of a project. */
export function parseOctorulesYaml(source: SourceText): ParsedYaml {
  return parseYaml(source, [INCLUDE, WORDS, INT, FLOAT, NO_NUMBER]);
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
