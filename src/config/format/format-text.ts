import { isAlias, isMap, isScalar, isSeq, visit, isCollection } from 'yaml';
import type { Document, YAMLMap, Pair, Scalar } from 'yaml';
import type { Diagnostic } from '../../model/index.ts';
import { jsonEqual } from '../../data/index.ts';
import { withBreaksOf, sourceText, spanAt } from '../source/source-text.ts';
import type { SourceText } from '../source/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { suppressionComments } from '../yaml/suppression-comments.ts';
import { PHASES } from '../../model/index.ts';
import {
  CONDITIONS,
  canonicalExpression,
  holdsConditions,
  withCanonicalExpressions,
} from './canonical-expression.ts';
import { commentsOf, readDocument, writeDocument } from './yaml-style.ts';

/** Keys of a mapping in canonical order; other keys follow in the order in which they stand. */
type CanonicalKeys = readonly string[];

const SETTINGS = ['ownership', 'safety', 'ignore'] as const;

/** The project file. */
export const PROJECT_ORDER: CanonicalKeys = [
  'version',
  'files',
  'packs',
  'vars',
  'env',
  'time_zone',
  'traffic_examples',
  'plans',
  ...SETTINGS,
  'rollout',
  'lint',
];

/** A zone, an account or a pack. */
export const FILE_ORDER: CanonicalKeys = [
  'pack',
  'zone',
  'zones',
  'account',
  'description',
  'phases',
  'token_env',
  'params',
  'vars',
  'labels',
  'plan',
  ...SETTINGS,
  'active',
  'settings',
  'entrypoints',
  'rulesets',
  'rules',
  'lists',
];

/** Entry points in the order in which a request meets them. */
const PHASE_ORDER: CanonicalKeys = PHASES.map(({ name }) => name);

/** An entry point, or a custom ruleset. */
const RULESET_ORDER: CanonicalKeys = [
  'name',
  'phase',
  'description',
  'absent',
  'ownership',
  'place',
  'ignore',
  'active',
  'rules',
];

/** A rule, or the use of a pack. */
const RULE_ORDER: CanonicalKeys = [
  'use',
  'with',
  'ref',
  'id',
  'adopt',
  'description',
  'owner',
  'expression',
  'active',
  'action',
  'enabled',
  'action_parameters',
  'extra_parameters',
  'ratelimit',
  'logging',
  'exposed_credential_check',
];

/** Where a mapping stands: the file itself, the value of a key, an item of a list. */
type MappingPosition = 'file' | 'value' | 'item';

/** Whether a comment that suppresses findings is about the line of a key. */
type IsCovered = (key: Scalar) => boolean;

/** Puts the keys of a mapping in order, each with the comments above it. */
function orderMap(map: YAMLMap, keys: CanonicalKeys, place: MappingPosition, isCovered: IsCovered): void {
  const before = keyOf(map);
  // What suppresses findings in the line of a dash suppresses those of the key behind it, which therefore stays there.
  const fixed =
    place === 'item' && map.flow !== true && before !== undefined && isCovered(before) ? before : undefined;
  const rank = ({ key }: Pair): number => {
    if (key === fixed) {
      return -1;
    }
    const index = isScalar(key) && typeof key.value === 'string' ? keys.indexOf(key.value) : -1;
    return index === -1 ? keys.length : index;
  };
  map.items.sort((a, b) => rank(a) - rank(b));
  const now = keyOf(map);
  if (before === undefined || now === undefined || before === now) {
    return;
  }
  if (place === 'item' || map.flow === true) {
    // The comment before a key that has become the first one of a list item goes before the item's dash.
    map.commentBefore = joined(map.commentBefore, now.commentBefore);
    now.commentBefore = null;
    now.spaceBefore = false;
    return;
  }
  const { ofMap, ofKey } = split(joined(map.commentBefore, before.commentBefore) ?? '', place);
  before.commentBefore = ofKey;
  before.spaceBefore = before.spaceBefore === true || now.spaceBefore === true;
  // A blank line below it would make it a comment of the whole mapping.
  const own = now.commentBefore?.replaceAll(/\n{2,}|\n$/gu, (blank) => (blank === '\n' ? '' : '\n'));
  now.commentBefore = place === 'file' ? joined(ofMap, own) : (own ?? null);
  now.spaceBefore = false;
  map.commentBefore = place === 'file' ? null : ofMap;
}

function keyOf(map: YAMLMap): Scalar | undefined {
  const key = map.items[0]?.key;
  return isScalar(key) ? key : undefined;
}

type YamlComment = string | null | undefined;

function joined(...comments: readonly YamlComment[]): string | null {
  const said = comments.filter((text) => typeof text === 'string' && text !== '');
  return said.length === 0 ? null : said.join('\n');
}

/** The comment that names a file's schema for editors, which look for it at the top. */
const MODELINE = /^ *yaml-language-server:/u;

/** Splits what stands above the first key: a comment above a blank line, or a file's modeline and what is above it, is of the mapping. */
function split(
  comment: string,
  place: MappingPosition,
): { readonly ofMap: string | null; readonly ofKey: string | null } {
  const lines = comment.split('\n');
  const end = lines.findLastIndex((line) => line === '' || (place === 'file' && MODELINE.test(line))) + 1;
  return { ofMap: joined(lines.slice(0, end).join('\n')), ofKey: joined(lines.slice(end).join('\n')) };
}

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

function orderRuleset(ruleset: unknown, place: MappingPosition, isCovered: IsCovered): void {
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

/** Leaves the comment in the line of a key there, which the library would write above the first line of the key's value. */
function keepBehindKey({ key, value }: Pair, text: string): void {
  if (!isScalar(key) || !isCollection(value) || value.flow === true || !key.range) {
    return;
  }
  const behind = /^:[^\n]*?[ \t]#([^\r\n]*)/u.exec(text.slice(key.range[1], value.range?.[0]))?.[1];
  const comment = value.commentBefore;
  if (behind !== undefined && (comment === behind || comment?.startsWith(`${behind}\n`) === true)) {
    key.comment = behind;
    value.commentBefore = comment.slice(behind.length + 1);
  }
}
