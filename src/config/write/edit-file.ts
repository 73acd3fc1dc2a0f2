import { isMap, isSeq, isScalar, Scalar } from 'yaml';
import type { Node, YAMLMap } from 'yaml';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { jsonEqual, listOf, objectOf, isJsonArray, isJsonObject } from '../../data/index.ts';
import type { RulesetAddress } from '../../model/index.ts';
import { addressKey } from '../../model/index.ts';
import { scopeFilesIn } from '../project/scope-file.ts';
import type { DeclaredRuleset } from '../project/scope-file.ts';
import { applyEdits, sourceText, textDifference } from '../source/source-text.ts';
import type { SourceText, TextEdit } from '../source/source-text.ts';
import { commentsOf, foldLines, WIDTH } from '../format/yaml-style.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { nodeAt, pairOf } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { readScalar, scalarOffsets } from '../yaml/scalar-offsets.ts';
import { inBlockStyle } from './block-style.ts';
import { contentEnd, lineEnd, lineStart } from './content-end.ts';
import { editItems } from './edit-items.ts';
import { editMap } from './edit-map.ts';
import { desiredFile, wantedItems, pairItems } from './desired-file.ts';
import type { DesiredFile, ItemEdit, RulesetEdit } from './desired-file.ts';
import { followersOf, moveAnchors } from './move-anchors.ts';
import { writePair } from './write-anew.ts';
import type { ValueEdit } from './value-edit.ts';

/** Length above which a text on one line is written anew, on several lines. */
const LONG = 88;

/**
 * Returns the edit that changes a text only where it differs, and leaves its quotes, lines and folding; undefined for plain text on one line,
 * where nothing of the text stays, and where its style cannot hold what is wanted.
 */
export function editScalar(
  text: string,
  node: Node,
  { now, next }: { readonly now: string; readonly next: string },
): readonly TextEdit[] | undefined {
  const [start, end] = node.range ?? [0, 0];
  const style = isScalar(node) && node.value === now ? styleOf(node, text.slice(start, end)) : undefined;
  const offsets = isScalar(node) && style !== undefined ? scalarOffsets(text, node) : undefined;
  if (!isScalar(node) || style === undefined || offsets === undefined || UNSEEN.test(next)) {
    return undefined;
  }
  const isBlock = style === 'folded' || style === 'literal';
  if (!isBlock && next.length > Math.max(LONG, now.length)) {
    return undefined;
  }
  const indent = text.slice(lineStart(text, offsets.start(0)), offsets.start(0));
  const differing = textDifference(now, next);
  if (
    applyEdits(
      now,
      differing.map((edit) => ({ ...edit, text: '' })),
    ).trim() === ''
  ) {
    return undefined;
  }
  const edits = differing.map((edit) => ({
    start: offsets.start(edit.start) - start,
    end: offsets.start(edit.end) - start,
    text: spelled(edit.text, style, indent),
  }));
  const before = text.slice(start, end);
  const changed = applyEdits(before, edits);
  const fresh = isBlock ? block(changed, { before, indent: indent.length, style }) : changed;
  const { type } = node;
  return fits(style, { now, next }) &&
    readScalar(fresh, { start: 0, end: fresh.length, type, value: next }) === next
    ? [{ start, end, text: fresh }]
    : undefined;
}

type ScalarStyle = 'folded' | 'literal' | 'single' | 'double' | 'plain';

function styleOf({ type }: Scalar, source: string): ScalarStyle | undefined {
  switch (type) {
    case Scalar.BLOCK_FOLDED:
      return 'folded';
    case Scalar.BLOCK_LITERAL:
      return 'literal';
    case Scalar.QUOTE_SINGLE:
      return 'single';
    case Scalar.QUOTE_DOUBLE:
      return 'double';
    default:
      return source.includes('\n') ? 'plain' : undefined;
  }
}

/** Invisible characters, which need code that knows how to write them. */
const UNSEEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;

function spelled(text: string, style: ScalarStyle, indent: string): string {
  switch (style) {
    case 'literal':
      return text.replaceAll('\n', `\n${indent}`);
    case 'single':
      return text.replaceAll("'", "''");
    case 'double':
      return JSON.stringify(text).slice(1, -1);
    default:
      return text;
  }
}

/**
 * Whether a text can be plain in place of another one. Characters that would end it inside brackets are safe only where the other text has some,
 * and so is not in brackets.
 */
function fits(style: ScalarStyle, { now, next }: { readonly now: string; readonly next: string }): boolean {
  return (
    style !== 'plain' ||
    (/^[\p{L}\p{N}("/.]/u.test(next) &&
      !/:(?:\s|$)|\s#/u.test(next) &&
      (IN_BRACKETS.test(now) || !IN_BRACKETS.test(next)))
  );
}

const IN_BRACKETS = /[,[\]{}]/u;

/** Returns a block that ends as before; a folded one without changed lines that are longer than lines should be. */
function block(
  text: string,
  {
    before,
    indent,
    style,
  }: { readonly before: string; readonly indent: number; readonly style: ScalarStyle },
): string {
  const known = new Set(before.split('\n'));
  const lines = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const isLong = line.length > WIDTH && !known.has(line) && line.startsWith(' '.repeat(indent));
      const shorter =
        style === 'folded' && isLong ? foldLines(line.slice(indent), WIDTH - indent) : undefined;
      return shorter?.map((one) => ' '.repeat(indent) + one) ?? [line];
    });
  return lines.join('\n') + before.slice(before.trimEnd().length);
}

/** Returns a file with its rulesets edited, and the edits that could not be made because of how the file is written. */
export function editedRulesets(
  document: YamlDocument,
  edits: readonly RulesetEdit[],
): { readonly text: string; readonly stay: readonly RulesetEdit[] } {
  const whole = editedFile(document, edits);
  if (whole !== undefined) {
    return { text: whole, stay: [] };
  }
  const stay: RulesetEdit[] = [];
  let current = document;
  for (const edit of edits) {
    const ruleset = declaredIn(current, edit.ruleset.address);
    const text = ruleset === undefined ? undefined : editedFile(current, [{ ...edit, ruleset }]);
    const next = text === undefined ? undefined : readAgain(document.source.path, text);
    if (next === undefined) {
      stay.push(edit);
    }
    current = next ?? current;
  }
  return { text: current.source.text, stay };
}

/**
 * Returns the text of a file with its rulesets edited; what does not change keeps its bytes. The result is read back, and has to say what is
 * wanted: undefined where the way the file is written does not allow that.
 */
function editedFile(document: YamlDocument, edits: readonly RulesetEdit[]): string | undefined {
  const wish = desiredFile(document, edits);
  for (const mode of ['hand-over', 'apart'] as const) {
    const text = edited(document, edits, { wish, mode });
    const said = text === undefined ? undefined : parseYaml(sourceText(document.source.path, text)).document;
    if (jsonEqual(said?.value, wish.next)) {
      return text;
    }
  }
  return undefined;
}

function edited(
  document: YamlDocument,
  edits: readonly RulesetEdit[],
  { wish, mode }: { readonly wish: DesiredFile; readonly mode: 'hand-over' | 'apart' },
): string | undefined {
  const { path, text } = document.source;
  const moved = moveAnchors(document, wish, mode);
  let current = moved === undefined ? undefined : readAgain(path, applyEdits(text, moved));
  if (current === undefined || !jsonEqual(current.value, document.value)) {
    return undefined;
  }
  const followers = followersOf(current, wish);
  const inPlace: TextEdit[] = [];
  const later: RulesetEdit[] = [];
  for (const edit of edits) {
    const made = edit.kind === 'edit' ? editRuleset(current, edit, followers) : undefined;
    inPlace.push(...(made ?? []));
    later.push(...(made === undefined ? [edit] : []));
  }
  current = readAgain(path, applyEdits(current.source.text, inPlace));
  for (const edit of later) {
    const next = current === undefined ? undefined : editLater(current, edit);
    current = next === undefined ? undefined : readAgain(path, next);
  }
  return current?.source.text;
}

function readAgain(path: string, text: string): YamlDocument | undefined {
  return parseYaml(sourceText(path, text)).document;
}

/**
 * Returns the text of a file whose members at the top say what is wanted, such as `lists`; one without a value goes. What does not change keeps its
 * bytes. The result is read back, and has to say what is wanted: undefined where the way the file is written does not allow that.
 */
export function editedMembers(
  source: SourceText,
  wanted: Readonly<Record<string, JsonValue | undefined>>,
): string | undefined {
  const { document } = parseYaml(source);
  const { root, value: now } = document ?? {};
  if (!isMap<Node, Node | null>(root) || now === undefined || !isJsonObject(now)) {
    return undefined;
  }
  const next = withMembers(now, wanted);
  const edit = {
    text: source.text,
    now,
    next,
    notes: [],
    followers: new Set<Node>(),
  };
  const edits = editMap(root, edit, editValue);
  const text = edits === undefined ? undefined : applyEdits(source.text, edits);
  return text !== undefined && jsonEqual(readAgain(source.path, text)?.value, next) ? text : undefined;
}

/** What stands above the rules of a file comes before this. */
const BODY: readonly string[] = ['entrypoints', 'rulesets', 'lists'];

function withMembers(now: JsonObject, wanted: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const stays = Object.entries(now).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] => {
    const fresh = Object.hasOwn(wanted, key) ? wanted[key] : value;
    return fresh === undefined ? [] : [[key, fresh]];
  });
  const added = Object.entries(wanted).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] =>
    value === undefined || Object.hasOwn(now, key) ? [] : [[key, value]],
  );
  const body = stays.findIndex(([key]) => BODY.includes(key));
  const [head, rest] = body === -1 ? [stays, []] : [stays.slice(0, body), stays.slice(body)];
  return Object.fromEntries([
    ...head,
    ...added.filter(([key]) => !BODY.includes(key)),
    ...rest,
    ...added.filter(([key]) => BODY.includes(key)),
  ]);
}

/** Makes an edit that needs a text of its own: it removes a ruleset, or first puts a ruleset on lines of its own. */
function editLater(document: YamlDocument, edit: RulesetEdit): string | undefined {
  const ruleset = declaredIn(document, edit.ruleset.address);
  if (ruleset === undefined) {
    return undefined;
  }
  if (edit.kind === 'remove') {
    const edits = removeRuleset(document, ruleset);
    return edits === undefined ? undefined : applyEdits(document.source.text, edits);
  }
  const text = inBlockStyle(document.source, [...ruleset.path, 'rules']);
  const blocks = text === undefined ? undefined : readAgain(document.source.path, text);
  const edits =
    blocks === undefined
      ? undefined
      : editRuleset(blocks, edit, followersOf(blocks, desiredFile(blocks, [edit])));
  return blocks === undefined || edits === undefined ? undefined : applyEdits(blocks.source.text, edits);
}

function declaredIn(document: YamlDocument, address: RulesetAddress): DeclaredRuleset | undefined {
  const rulesets = scopeFilesIn(document)[0]?.rulesets;
  return rulesets?.find((one) => addressKey(one.address) === addressKey(address));
}

/** Returns the edits that remove a custom ruleset from a file; undefined where they cannot be placed. */
function removeRuleset(document: YamlDocument, { path }: DeclaredRuleset): readonly TextEdit[] | undefined {
  const { root, value, source } = document;
  const pair = isMap<Node, Node | null>(root) ? pairOf(root, 'rulesets') : undefined;
  const list = pair?.value ?? undefined;
  const start = pair?.key.range?.[0];
  if (!isSeq<Node>(list) || start === undefined) {
    return undefined;
  }
  const others = [...list.items.keys()].filter((index) => index !== path[1]);
  if (others.length > 0) {
    const now = listOf(objectOf(value)['rulesets']);
    const items = others.map((index) => ({ kind: 'keep', index }) as const);
    return editItems(list, { text: source.text, now, followers: new Set() }, items, editValue);
  }
  const end = lineEnd(source.text, contentEnd(source.text, list));
  return [{ start: lineStart(source.text, start), end: Math.min(end + 1, source.text.length), text: '' }];
}

/** Returns the edits of one declared ruleset; undefined where they cannot be placed in the file as it is written. */
function editRuleset(
  document: YamlDocument,
  { ruleset: { path, value, rules }, items, description }: Extract<RulesetEdit, { readonly kind: 'edit' }>,
  followers: ReadonlySet<Node>,
): readonly TextEdit[] | undefined {
  const { text } = document.source;
  const now = rules.map((rule) => rule.value);
  const next = wantedItems(now, items);
  const map = nodeAt(document, path);
  const list = nodeAt(document, [...path, 'rules']);
  if (!isMap<Node, Node | null>(map) || list === undefined) {
    return undefined;
  }
  const described = description === undefined ? {} : { description };
  const edit = { text, now: value, next: { ...value, ...described }, notes: [], followers };
  const head = editMap(map, edit, editValue);
  const inBrackets = isSeq<Node>(list) && list.flow === true && list.items.length > 0 && items.length > 0;
  // A new rule is too long to stand in brackets with others.
  const stays = inBrackets && items.some(({ kind }) => kind === 'insert');
  const inPlace =
    isSeq<Node>(list) && !stays ? editItems(list, { text, now, followers }, items, editValue) : undefined;
  const anew = inBrackets ? undefined : rewriteRules(text, map, items, next);
  const body = jsonEqual(now, next) ? [] : (inPlace ?? anew);
  return head === undefined || body === undefined ? undefined : [...head, ...body];
}

/** Rewrites the whole list: an empty one, one that becomes empty, or one that is written unusually but has no comments to lose. */
function rewriteRules(
  text: string,
  map: YAMLMap<Node, Node | null>,
  items: readonly ItemEdit[],
  value: readonly JsonValue[],
): readonly TextEdit[] | undefined {
  const pair = map.flow === true ? undefined : pairOf(map, 'rules');
  const notes = items.flatMap((item, index) =>
    item.kind === 'keep' ? [] : item.notes.map((one) => ({ ...one, path: ['rules', index, ...one.path] })),
  );
  const edit = pair === undefined ? undefined : writePair(text, pair, 'rules', { value, notes });
  const losesComments =
    edit !== undefined && items.length > 0 && commentsOf(text.slice(edit.start, edit.end)).length > 0;
  return edit === undefined || losesComments ? undefined : [edit];
}

/**
 * Edits a mapping, a list, or a text of several lines or in quotes in place. Other values are written anew by the code that edits their holder.
 */
function editValue(node: Node, edit: ValueEdit): readonly TextEdit[] | undefined {
  const { now, next, notes, followers } = edit;
  if (jsonEqual(now, next) || followers.has(node)) {
    return [];
  }
  if (isMap<Node, Node | null>(node) && isJsonObject(now) && isJsonObject(next)) {
    return editMap(node, { ...edit, now, next }, editValue);
  }
  if (isSeq<Node>(node) && isJsonArray(now) && isJsonArray(next)) {
    const items = pairItems(now, next, notes);
    return items === undefined ? undefined : editItems(node, { ...edit, now }, items, editValue);
  }
  return typeof now === 'string' && typeof next === 'string'
    ? editScalar(edit.text, node, { now, next })
    : undefined;
}
