import { isMap, isSeq } from 'yaml';
import type { Node, Pair, YAMLMap } from 'yaml';

import type { JsonObject } from '../../model/json.ts';
import { phaseOrder } from '../../model/phase.ts';
import type { DeclaredRuleset } from '../project/scope-file.ts';
import type { TextEdit } from '../fix/edit-scalar.ts';
import { commentsOf } from '../format/comments-of.ts';
import { keyName } from '../yaml/key-name.ts';
import { nodeAt } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { inBlockStyle } from './block-style.ts';
import { contentEnd, lineEnd, lineStart } from './content-end.ts';
import { editRules } from './edit-rules.ts';
import type { ItemEdit } from './edit-rules.ts';
import type { FileNote } from './scope-text.ts';
import { pairText, partText } from './snippet.ts';

/** The edits that take a custom ruleset out of a file; undefined where they cannot be placed. */
export function removeRuleset({ document, path }: DeclaredRuleset): readonly TextEdit[] | undefined {
  const { root, source } = document;
  const pair = isMap<Node, Node | null>(root) ? pairOf(root, 'rulesets') : undefined;
  const list = pair?.value ?? undefined;
  const start = pair?.key.range?.[0];
  if (!isSeq<Node>(list) || start === undefined) {
    return undefined;
  }
  const others = [...list.items.keys()].filter((index) => index !== path[1]);
  if (others.length > 0) {
    return editRules(
      source.text,
      list,
      others.map((index) => ({ kind: 'keep', index })),
    );
  }
  const end = lineEnd(source.text, contentEnd(source.text, list));
  return [{ start: lineStart(source.text, start), end: Math.min(end + 1, source.text.length), text: '' }];
}

/** The file of a ruleset with its rules on lines of their own, where it has them in braces or brackets; undefined where it has not. */
export function withRulesInBlocks({ document, path }: DeclaredRuleset): string | undefined {
  return inBlockStyle(document.source, [...path, 'rules']);
}

/** What a declared ruleset is to become. */
export interface RulesetEdit {
  readonly ruleset: DeclaredRuleset;
  readonly items: readonly ItemEdit[];
  /** The description as a file says it, where the file gives another one than live. */
  readonly description?: string;
}

/** The edits of one declared ruleset; undefined where its file is written in a way that they cannot be placed in. */
export function editRuleset({ ruleset, items, description }: RulesetEdit): readonly TextEdit[] | undefined {
  const { document, path } = ruleset;
  const { text } = document.source;
  const described =
    description === undefined
      ? []
      : replaceAt(document, [...path, 'description'], 'description', description);
  const list = nodeAt(document, [...path, 'rules']);
  if (list === undefined || described === undefined) {
    return undefined;
  }
  const isSame =
    items.length === ruleset.rules.length &&
    items.every((one, at) => one.kind === 'keep' && one.index === at);
  const rules = isSame ? [] : (editRules(text, list, items) ?? rewriteRules(ruleset, items));
  return rules === undefined ? undefined : [...described, ...rules];
}

/** The whole list anew, for an empty one, one that becomes empty, and one that is written unusually but has no comments to lose. */
function rewriteRules(
  { document, path, rules }: DeclaredRuleset,
  items: readonly ItemEdit[],
): readonly TextEdit[] | undefined {
  const values = items.map((item) => (item.kind === 'keep' ? (rules[item.index]?.value ?? {}) : item.wanted));
  const notes = items.flatMap((item, index) =>
    item.kind === 'keep' ? [] : item.notes.map((one) => ({ ...one, path: ['rules', index, ...one.path] })),
  );
  const edits = replaceAt(document, [...path, 'rules'], 'rules', values, notes);
  const losesComments = edits?.some(
    ({ start, end }) => commentsOf(document.source.text.slice(start, end)).length > 0,
  );
  return items.length > 0 && losesComments === true ? undefined : edits;
}

function replaceAt(
  document: YamlDocument,
  path: readonly (string | number)[],
  key: string,
  value: Parameters<typeof pairText>[1],
  notes: readonly FileNote[] = [],
): readonly TextEdit[] | undefined {
  const { text } = document.source;
  const parent = nodeAt(document, path.slice(0, -1));
  const pair = isMap<Node, Node | null>(parent) && parent.flow !== true ? pairOf(parent, key) : undefined;
  const start = pair?.key.range?.[0];
  if (pair?.value === null || pair?.value === undefined || start === undefined) {
    return undefined;
  }
  const column = start - lineStart(text, start);
  return [{ start, end: contentEnd(text, pair.value), text: pairText(key, value, notes, column) }];
}

function pairOf(map: YAMLMap<Node, Node | null>, key: string): Pair<Node, Node | null> | undefined {
  return map.items.find((pair) => keyName(pair.key) === key);
}

/** A ruleset that a file does not declare yet. */
export interface AddedRuleset {
  readonly address: { readonly kind: 'entrypoint' | 'custom'; readonly phase: string };
  readonly value: JsonObject;
  readonly notes: readonly FileNote[];
  /** A comment before it; "" for none. */
  readonly title: string;
}

/** The edit that declares one more ruleset in a file; undefined where it has no place for it. */
export function addRuleset(document: YamlDocument, added: AddedRuleset): readonly TextEdit[] | undefined {
  const { root } = document;
  if (!isMap<Node, Node | null>(root) || root.flow === true) {
    return undefined;
  }
  return added.address.kind === 'entrypoint'
    ? addPhase(document, root, added)
    : addCustom(document, root, added);
}

function addPhase(
  { source: { text } }: YamlDocument,
  root: YAMLMap<Node, Node | null>,
  { address: { phase }, value, notes, title }: AddedRuleset,
): readonly TextEdit[] | undefined {
  const path = ['entrypoints', phase];
  const all = [
    { path, text: title, place: 'before' as const },
    ...notes.map((one) => ({ ...one, path: [...path, ...one.path] })),
  ];
  const whole = partText({ entrypoints: { [phase]: value } }, all, 0);
  const entrypoints = pairOf(root, 'entrypoints')?.value ?? undefined;
  if (entrypoints === undefined) {
    const others = root.items.filter(({ key }) => keyName(key) !== 'rulesets');
    return after(text, others.at(-1), whole);
  }
  if (!isMap<Node, Node | null>(entrypoints) || entrypoints.flow === true) {
    return undefined;
  }
  const start = entrypoints.items[0]?.key.range?.[0];
  if (start === undefined) {
    return undefined;
  }
  const column = start - lineStart(text, start);
  const lines = whole
    .split('\n')
    .slice(1)
    .map((line) => (line === '' ? '' : ' '.repeat(column) + line.slice(2)));
  const before = entrypoints.items.filter(({ key }) => phaseOrder(keyName(key) ?? '') <= phaseOrder(phase));
  return after(text, before.at(-1) ?? entrypoints.items.at(-1), lines.join('\n'));
}

function addCustom(
  { source: { text } }: YamlDocument,
  root: YAMLMap<Node, Node | null>,
  { value, notes }: AddedRuleset,
): readonly TextEdit[] | undefined {
  const all = notes.map((one) => ({ ...one, path: ['rulesets', 0, ...one.path] }));
  const whole = partText({ rulesets: [value] }, all, 0);
  const rulesets = pairOf(root, 'rulesets')?.value ?? undefined;
  if (rulesets === undefined) {
    return after(text, root.items.at(-1), whole);
  }
  const last = isSeq<Node>(rulesets) && rulesets.flow !== true ? rulesets.items.at(-1) : undefined;
  if (last === undefined) {
    return undefined;
  }
  const line = lineStart(text, last.range?.[0] ?? 0);
  const dash = /^ *(?=- )/u.exec(text.slice(line))?.[0];
  const lines = whole
    .split('\n')
    .slice(1)
    .map((one) => (one === '' ? '' : (dash ?? '') + one.slice(2)));
  const end = lineEnd(text, contentEnd(text, last));
  return dash === undefined ? undefined : [{ start: end, end, text: `\n${lines.join('\n')}` }];
}

function after(
  text: string,
  pair: Pair<Node, Node | null> | undefined,
  lines: string,
): readonly TextEdit[] | undefined {
  if (pair === undefined) {
    return undefined;
  }
  const end = lineEnd(text, contentEnd(text, pair.value ?? pair.key));
  return [{ start: end, end, text: `\n${lines}` }];
}
