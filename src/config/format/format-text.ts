import { isAlias, isMap, isScalar, isSeq, visit } from 'yaml';
import type { Document, YAMLMap } from 'yaml';

import type { Diagnostic } from '../../model/diagnostic.ts';
import { jsonEqual } from '../../model/json.ts';
import { withBreaksOf } from '../source/line-breaks.ts';
import { sourceText, spanAt } from '../source/source-text.ts';
import type { SourceText } from '../source/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { suppressionComments } from '../yaml/suppression-comments.ts';
import {
  CONDITIONS,
  canonicalExpression,
  holdsConditions,
  withCanonicalExpressions,
} from './canonical-expression.ts';
import { FILE_ORDER, PHASE_ORDER, PROJECT_ORDER, RULESET_ORDER, RULE_ORDER } from './key-order.ts';
import { commentsOf } from './comments-of.ts';
import { keepBehindKey } from './keep-behind-key.ts';
import { orderMap } from './order-map.ts';
import type { IsCovered, Place } from './order-map.ts';
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
  let current = text.replaceAll('\r\n', '\n');
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
    Pair: (_, pair) => {
      keepBehindKey(pair, text);
    },
  });
  // An alias has to stay behind its anchor, so keys are not reordered where there is an alias.
  if (!aliases) {
    orderKeys(document, coveredIn(text));
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

function coveredIn(text: string): IsCovered {
  const source = sourceText('', text);
  const lines = new Set(suppressionComments('', text).map((comment) => comment.lines.first));
  return ({ range }) =>
    range !== null && range !== undefined && lines.has(spanAt(source, range[0], range[0]).start.line);
}

function orderKeys(document: Document, isCovered: IsCovered): void {
  const root = document.contents;
  if (!isMap(root)) {
    return;
  }
  const keys = keysOf(root);
  if (keys.includes('files') && keys.includes('version')) {
    orderMap(root, PROJECT_ORDER, 'file', isCovered);
    return;
  }
  if (!['zone', 'zones', 'account', 'pack'].some((key) => keys.includes(key))) {
    return;
  }
  orderMap(root, FILE_ORDER, 'file', isCovered);
  orderRules(root, isCovered);
  const entrypoints: unknown = root.get('entrypoints', true);
  const rulesets: unknown = root.get('rulesets', true);
  const phases = isMap(entrypoints) ? entrypoints.items.map(({ value }) => value) : [];
  if (isMap(entrypoints)) {
    orderMap(entrypoints, PHASE_ORDER, 'value', isCovered);
  }
  for (const ruleset of phases) {
    orderRuleset(ruleset, 'value', isCovered);
  }
  for (const ruleset of isSeq(rulesets) ? rulesets.items : []) {
    orderRuleset(ruleset, 'item', isCovered);
  }
}

function orderRuleset(ruleset: unknown, place: Place, isCovered: IsCovered): void {
  if (isMap(ruleset)) {
    orderMap(ruleset, RULESET_ORDER, place, isCovered);
    orderRules(ruleset, isCovered);
  }
}

function orderRules(holder: YAMLMap, isCovered: IsCovered): void {
  const rules: unknown = holder.get('rules', true);
  for (const rule of isSeq(rules) ? rules.items : []) {
    if (isMap(rule) && !isAlias(rule)) {
      orderMap(rule, RULE_ORDER, 'item', isCovered);
    }
  }
}
