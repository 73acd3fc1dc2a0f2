import { isAlias, isMap, isScalar, isSeq, visit } from 'yaml';
import type { Document, YAMLMap } from 'yaml';

import type { Diagnostic } from '../../model/diagnostic.ts';
import { jsonEqual } from '../../model/json.ts';
import { withBreaksOf } from '../source/line-breaks.ts';
import { sourceText } from '../source/source-text.ts';
import type { SourceText } from '../source/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import {
  CONDITIONS,
  canonicalExpression,
  holdsConditions,
  withCanonicalExpressions,
} from './canonical-expression.ts';
import { FILE_ORDER, PHASE_ORDER, PROJECT_ORDER, RULESET_ORDER, RULE_ORDER } from './key-order.ts';
import type { KeyOrder } from './key-order.ts';
import { commentsOf } from './comments-of.ts';
import { readDocument, writeDocument } from './yaml-style.ts';

/** A file in canonical style, or why it is left alone. */
export type FormattedText =
  | { readonly kind: 'formatted'; readonly text: string }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] }
  /** The formatted file would not say the same with every comment. */
  | { readonly kind: 'unsafe' };

/**
 * Returns a file of a project in canonical style: keys in order, quotes only where needed, conditions in canonical form, long texts folded.
 * Meaning, comments, and CR LF at the ends of all lines stay; the result is read back to check the first two. Formatting twice changes nothing.
 */
export function formatText(source: SourceText): FormattedText {
  const { document, diagnostics } = parseYaml(source);
  if (document === undefined) {
    return { kind: 'invalid', diagnostics };
  }
  const text = withBreaksOf(source.text, settled(source.text));
  if (text === source.text) {
    return { kind: 'formatted', text };
  }
  const after = parseYaml(sourceText(source.path, text)).document;
  const same =
    after !== undefined &&
    jsonEqual(after.value, withCanonicalExpressions(document.value)) &&
    jsonEqual(commentsOf(text), commentsOf(source.text));
  return same ? { kind: 'formatted', text } : { kind: 'unsafe' };
}

/** Most rounds until nothing changes: a comment that has moved may be read as one of another value. */
const MAX_ROUNDS = 5;

function settled(text: string): string {
  let current = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = format(current);
    if (next === current) {
      break;
    }
    current = next;
  }
  return current;
}

function format(text: string): string {
  const document = readDocument(text);
  let aliases = false;
  visit(document, {
    Alias: () => {
      aliases = true;
    },
    Map: (_, map) => {
      spellConditions(map);
    },
  });
  // An alias has to stay behind its anchor, so keys are not reordered where there is an alias.
  if (!aliases) {
    orderKeys(document);
  }
  return writeDocument(document);
}

function keysOf(map: YAMLMap): readonly string[] {
  return map.items.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'string' ? [key.value] : []));
}

function spellConditions(map: YAMLMap): void {
  if (!holdsConditions(keysOf(map))) {
    return;
  }
  for (const { key, value } of map.items) {
    if (
      isScalar(key) &&
      typeof key.value === 'string' &&
      CONDITIONS.has(key.value) &&
      isScalar(value) &&
      typeof value.value === 'string'
    ) {
      value.value = canonicalExpression(value.value);
    }
  }
}

function orderKeys(document: Document): void {
  const root = document.contents;
  if (!isMap(root)) {
    return;
  }
  const keys = keysOf(root);
  if (keys.includes('files') && keys.includes('version')) {
    order(root, PROJECT_ORDER);
    return;
  }
  if (!['zone', 'zones', 'account', 'pack'].some((key) => keys.includes(key))) {
    return;
  }
  order(root, FILE_ORDER);
  orderRules(root);
  const entrypoints: unknown = root.get('entrypoints', true);
  const rulesets: unknown = root.get('rulesets', true);
  const phases = isMap(entrypoints) ? entrypoints.items.map(({ value }) => value) : [];
  if (isMap(entrypoints)) {
    order(entrypoints, PHASE_ORDER);
  }
  for (const ruleset of [...phases, ...(isSeq(rulesets) ? rulesets.items : [])]) {
    if (isMap(ruleset)) {
      order(ruleset, RULESET_ORDER);
      orderRules(ruleset);
    }
  }
}

function orderRules(holder: YAMLMap): void {
  const rules: unknown = holder.get('rules', true);
  for (const rule of isSeq(rules) ? rules.items : []) {
    if (isMap(rule) && !isAlias(rule)) {
      order(rule, RULE_ORDER);
    }
  }
}

function order(map: YAMLMap, keys: KeyOrder): void {
  const place = (key: unknown): number => {
    const index = isScalar(key) && typeof key.value === 'string' ? keys.indexOf(key.value) : -1;
    return index === -1 ? keys.length : index;
  };
  const [first] = map.items;
  map.items.sort((a, b) => place(a.key) - place(b.key));
  const key = map.items[0]?.key;
  // The comment before a key that has become the first one of a list item goes before the item's dash.
  if (map.items[0] !== first && isScalar(key)) {
    const comments = [map.commentBefore, key.commentBefore].filter((text) => typeof text === 'string');
    map.commentBefore = comments.length === 0 ? null : comments.join('\n');
    key.commentBefore = null;
    key.spaceBefore = false;
  }
}
