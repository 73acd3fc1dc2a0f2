import { isMap, isSeq } from 'yaml';
import type { Node, YAMLMap } from 'yaml';

import type { JsonValue } from '../../model/json.ts';
import { jsonEqual, listOf, objectOf } from '../../model/json.ts';
import type { RulesetAddress } from '../../model/ruleset.ts';
import { addressKey } from '../../model/ruleset.ts';
import { scopeFilesIn } from '../project/scope-file.ts';
import type { DeclaredRuleset } from '../project/scope-file.ts';
import { applyEdits } from '../source/text-edit.ts';
import type { TextEdit } from '../source/text-edit.ts';
import { commentsOf } from '../format/comments-of.ts';
import { sourceText } from '../source/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { nodeAt } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { inBlockStyle } from './block-style.ts';
import { contentEnd, lineEnd, lineStart } from './content-end.ts';
import { editItems } from './edit-items.ts';
import { editMap } from './edit-map.ts';
import { editValue } from './edit-value.ts';
import { desiredFile, wantedItems } from './desired-file.ts';
import type { DesiredFile, ItemEdit, RulesetEdit } from './desired-file.ts';
import { followersOf, moveAnchors } from './move-anchors.ts';
import { pairOf } from '../yaml/pair-of.ts';
import { writePair } from './write-anew.ts';

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
