import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, Node, Scalar, YAMLMap } from 'yaml';
import type { Diagnostic } from '../../model/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { nearName } from '../../text/index.ts';
import type { DiagnosticCode } from '../source/finding.ts';
import { DIAGNOSTIC_CODES, finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';
import { keyName } from './yaml-document.ts';

/** Limits on a file, so that no input can hang or exhaust the reader. All of them are counts; none is a time. */
export const YAML_LIMITS = {
  /** Bytes of one file. */
  fileBytes: 16 * 1024 * 1024,
  /** Words, marks and gaps of one file: enough for about 28,000 rules, with less than a gigabyte of memory. */
  lexemes: 2_000_000,
  /** Nesting of collections, with aliases unfolded. */
  depth: 64,
  /** Values that aliases add to one file when unfolded. */
  aliasedValues: 100_000,
  /** Errors of the YAML parser that are looked at; the others follow from these, or are found once these are mended. */
  syntaxErrors: 200,
  /** Findings of the YAML parser that are reported for one file. */
  syntaxFindings: 20,
  /** Findings about what JSON cannot carry that are reported for one file, such as keys that appear twice. */
  valueFindings: 100,
} as const;

/** The plain value of a node, the nodes that its aliases stand for, and what is wrong with it. */
export interface ReadValue {
  readonly value: JsonValue;
  readonly aliases: ReadonlyMap<Alias, Node>;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the value has all that the file says, but for keys that appear twice: the first one counts. */
  readonly isWhole: boolean;
}

interface ValueReader {
  readonly source: SourceText;
  readonly anchors: Map<string, Node>;
  readonly aliases: Map<Alias, Node>;
  /** Anchored nodes that aliases are unfolding right now. */
  readonly open: Set<Node>;
  readonly diagnostics: Diagnostic[];
  /** How many findings of each severity there are, listed or not. */
  readonly counts: Partial<Record<Diagnostic['severity'], number>>;
  aliasedValues: number;
  depth: number;
  isWhole: boolean;
}

/** Converts nodes to JSON: follows aliases within limits, and reports what JSON cannot carry. */
export function readValue(source: SourceText, root: Node): ReadValue {
  const reading: ValueReader = {
    source,
    anchors: new Map(),
    aliases: new Map(),
    open: new Set(),
    diagnostics: [],
    counts: {},
    aliasedValues: 0,
    depth: 0,
    isWhole: true,
  };
  const value = readNode(reading, root);
  return { value, aliases: reading.aliases, diagnostics: reading.diagnostics, isWhole: reading.isWhole };
}

function readNode(reading: ValueReader, node: Node | null): JsonValue {
  if (node === null) {
    return null;
  }
  if (isAlias(node)) {
    return readAlias(reading, node);
  }
  if (reading.open.size > 0) {
    reading.aliasedValues += 1;
  } else if ('anchor' in node && node.anchor !== undefined) {
    reading.anchors.set(node.anchor, node);
  }
  if (isScalar(node)) {
    return readScalar(reading, node);
  }
  reading.depth += 1;
  const value = readCollection(reading, node);
  reading.depth -= 1;
  return value;
}

function readCollection(reading: ValueReader, node: Node): JsonValue {
  if (isMap<Node, Node | null>(node)) {
    return readMap(reading, node);
  }
  return isSeq<Node>(node) ? node.items.map((item) => readNode(reading, item)) : null;
}

function readMap(reading: ValueReader, map: YAMLMap<Node, Node | null>): JsonValue {
  const value: Record<string, JsonValue> = {};
  for (const { key, value: member } of map.items) {
    const name = keyName(key);
    if (name === undefined) {
      report(reading, key, 'yaml/key-not-text', {
        message: 'a key has to be a string',
        hint: 'put the key in quotes; `? ` and empty keys have no use here',
      });
    } else if (Object.hasOwn(value, name)) {
      // Behind a missing `- `, each further key would be reported again.
      const [first] = map.items;
      const isNext = first !== undefined && name === keyName(first.key) && isItem(reading.source, map);
      report(reading, key, 'yaml/duplicate-key', {
        message: `the key \`${name}\` appears twice in this mapping`,
        hint: isNext
          ? 'if another item of the list begins here, write `- ` in front of it; else keep one of them'
          : 'keep one of them',
      });
      if (isNext) {
        reading.isWhole = false;
        break;
      }
    } else if (name === '<<') {
      report(reading, key, 'yaml/merge-key', {
        message: 'YAML 1.2 has no merge keys: `<<` adds nothing here',
        hint: 'write the keys out, or share rules with a pack; an alias `*name` stands for a whole value',
      });
    } else {
      checkText(reading, key, name);
      addMember(value, name, readNode(reading, member));
    }
  }
  return value;
}

/** Whether a mapping is an item of a list in block style. */
function isItem({ text }: SourceText, { range }: YAMLMap<Node, Node | null>): boolean {
  const [start] = range ?? [0];
  return /-[ \t]+$/u.test(text.slice(Math.max(0, start - MOST_BLANKS), start));
}

const MOST_BLANKS = 20;

/** Adds members one by one: creating an object from a map of its members takes six times as long. */
function addMember(object: Record<string, JsonValue>, name: string, member: JsonValue): void {
  if (name === '__proto__') {
    // Assigning it would set the prototype instead of adding a member.
    Object.defineProperty(object, name, {
      value: member,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    object[name] = member;
  }
}

function readAlias(reading: ValueReader, alias: Alias): JsonValue {
  const target = reading.aliases.get(alias) ?? reading.anchors.get(alias.source);
  if (target === undefined) {
    const near = nearName(alias.source, [...reading.anchors.keys()]);
    report(reading, alias, 'yaml/unknown-alias', {
      message: `no anchor \`&${alias.source}\` comes before this alias`,
      hint: near === undefined ? 'a text that begins with `*` needs quotes' : `did you mean \`*${near}\`?`,
    });
    return null;
  }
  reading.aliases.set(alias, target);
  if (reading.open.has(target) || isAncestor(target, alias)) {
    report(reading, alias, 'yaml/alias-cycle', {
      message: `the alias \`*${alias.source}\` is inside its own anchor`,
      hint: 'a value cannot contain itself',
    });
    return null;
  }
  if (reading.aliasedValues >= YAML_LIMITS.aliasedValues || reading.depth >= YAML_LIMITS.depth) {
    reportOnce(reading, alias);
    return null;
  }
  reading.open.add(target);
  const value = readNode(reading, target);
  reading.open.delete(target);
  return value;
}

/** Whether an alias lies inside a node, by their offsets in the text. */
function isAncestor(node: Node, alias: Alias): boolean {
  const [start, , end] = node.range ?? [0, 0, 0];
  const [at] = alias.range ?? [-1];
  return !isScalar(node) && start <= at && at < end;
}

function readScalar(reading: ValueReader, scalar: Scalar): JsonValue {
  const { value, source } = scalar;
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      report(reading, scalar, 'yaml/not-a-number', {
        message: `\`${source ?? value}\` is a number that cannot be represented exactly`,
        hint: `if it is meant as a string, put it in quotes: "${source ?? value}"`,
      });
      return null;
    }
    if (source !== undefined && /^[-+]?0[0-9]+$/.test(source)) {
      report(reading, scalar, 'yaml/octal-looking', {
        message: `\`${source}\` is read as the number ${value}; older YAML reads it as octal`,
        hint: `write ${value}, or "${source}" if it is meant as a string`,
      });
    }
    return value;
  }
  if (typeof value === 'string') {
    checkText(reading, scalar, value);
    return value;
  }
  return typeof value === 'boolean' ? value : null;
}

/** Reports half of a surrogate pair, which an escape can write but no request can carry. */
function checkText(reading: ValueReader, node: Node | null, text: string): void {
  if (/\p{Surrogate}/u.test(text)) {
    report(reading, node, 'yaml/not-unicode', {
      message: 'the text contains half of a character',
      hint: 'write the whole character, or `\\U` with its eight digits, such as "\\U0001f600"',
    });
  }
}

const MORE = {
  message: `this file has more than ${YAML_LIMITS.valueFindings} mistakes like those above; the others are not listed`,
  hint: 'correct the first ones, or look whether the file is what it should be',
};

function report(
  reading: ValueReader,
  node: Node | null,
  code: DiagnosticCode,
  text: { readonly message: string; readonly hint: string },
): void {
  const { severity } = DIAGNOSTIC_CODES[code];
  // Warnings are counted apart, so that no error is lost among them.
  const count = (reading.counts[severity] ?? 0) + 1;
  reading.counts[severity] = count;
  const more = count - YAML_LIMITS.valueFindings;
  reading.isWhole &&= severity !== 'error' || code === 'yaml/duplicate-key';
  if (more > 1) {
    return;
  }
  const [start, end] = node?.range ?? [0, 0];
  const told = more === 1 ? MORE : text;
  const found = finding(code, { ...told, where: spanAt(reading.source, start, end) });
  reading.diagnostics.push(found);
}

function reportOnce(reading: ValueReader, alias: Alias): void {
  if (!reading.diagnostics.some(({ code }) => code === 'yaml/too-many-aliases')) {
    report(reading, alias, 'yaml/too-many-aliases', {
      message: `aliases expand to more than ${YAML_LIMITS.aliasedValues} values or ${YAML_LIMITS.depth} levels`,
      hint: 'write the values out, or use fewer aliases of aliases',
    });
  }
}
