import { cursorAt, locateValue, valueAt } from '../config/index.ts';
import type { Variable, YamlCursor } from '../config/index.ts';
import { listOf, objectOf, textOf } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import { formatPlace, phaseFacts } from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import type { CompletionMeans } from './complete.ts';
import { composedRules, readNames } from './edited-file.ts';
import type { ComposedRule, EditedFile } from './edited-file.ts';
import { expressionCursor } from './expression-cursor.ts';
import { wordText } from './language-words.ts';
import { parsedOf } from './open-project.ts';
import { expressionRoleAt, namesIn, rulePlaceOf } from './symbols.ts';
import type { NameInText } from './symbols.ts';

/** A text about a stretch of a file, in Markdown; the stretch by offsets. */
export interface HoverText {
  readonly start: number;
  readonly end: number;
  readonly markdown: string;
}

/** Explains what is at an offset of a file; undefined where there is nothing to say. */
export async function hover(
  file: EditedFile,
  offset: number,
  means: CompletionMeans,
): Promise<HoverText | undefined> {
  const isWord = /[\w$.:/-]/u.test(file.source.text.charAt(offset));
  const cursor = isWord ? cursorAt(file.source, offset) : undefined;
  if (cursor === undefined) {
    return undefined;
  }
  const name = namesIn(cursor).find(({ start, end }) => start <= cursor.at && cursor.at < end);
  const word = name ?? wordAround(cursor);
  const parts = [
    ...(name === undefined ? [] : await explainName(file, cursor, name)),
    ...(name === undefined ? explainText(cursor, means) : []),
    ...(await explainComposed(file, cursor)),
  ].filter((part) => part !== '');
  return parts.length === 0
    ? undefined
    : {
        start: offset - (cursor.at - word.start),
        end: offset + (word.end - cursor.at),
        markdown: parts.join('\n\n---\n\n'),
      };
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Returns the word of an expression at the cursor, or the whole of any other text on one line. */
function wordAround({ part, path, text, at }: YamlCursor): Stretch {
  if (part === 'value' && expressionRoleAt(path) !== undefined) {
    const start = at - (/[\w.]*$/u.exec(text.slice(0, at))?.[0].length ?? 0);
    return { start, end: at + (/^[\w.]*/u.exec(text.slice(at))?.[0].length ?? 0) };
  }
  return text.includes('\n') ? { start: at, end: at } : { start: 0, end: text.length };
}

function explainText(cursor: YamlCursor, { schema, managed }: CompletionMeans): readonly string[] {
  const { part, path, text, value } = cursor;
  if (part === 'value' && expressionRoleAt(path) !== undefined) {
    const { start, end } = wordAround(cursor);
    // A string only says what it says.
    return expressionCursor(text, cursor.at).string !== undefined
      ? []
      : [wordText(text.slice(start, end)) ?? ''];
  }
  if (part === 'key') {
    const phase = phaseFacts(text);
    return [
      phase === undefined ? '' : `**${phase.product}**`,
      schema.documentationAt([...path, text], withKey(value, [...path, text])),
    ];
  }
  const ruleset = managed.rulesets.find(({ id, name }) => id === text || name === text);
  const rule = managed.rules.find(({ id }) => id === text);
  const meaning = schema.valuesAt(path, value).find(({ word }) => word === text)?.documentation ?? '';
  const named =
    ruleset === undefined
      ? (rule?.title ?? '')
      : `**${ruleset.title}**\n\n\`${ruleset.name}\`, id \`${ruleset.id}\``;
  return [named, meaning === '' ? '' : `\`${text}\`: ${meaning}`, schema.documentationAt(path, value)];
}

/** The value with a key back in it, which the cursor has taken out: what applies to a key may depend on it. */
function withKey(value: JsonValue, [part, ...rest]: readonly (string | number)[]): JsonValue {
  if (part === undefined) {
    return value;
  }
  const inner = valueAt(value, [part]) ?? (rest.length === 0 ? '' : {});
  return typeof part === 'number'
    ? listOf(value).map((item, index) => (index === part ? withKey(inner, rest) : item))
    : { ...objectOf(value), [part]: withKey(inner, rest) };
}

async function explainName(
  file: EditedFile,
  cursor: YamlCursor,
  { kind, name }: NameInText,
): Promise<readonly string[]> {
  const { packs, variables } = file.project.composer;
  switch (kind) {
    case 'pack': {
      const pack = packs.get(name);
      if (pack === undefined) {
        return [];
      }
      const described = textOf(objectOf(pack.document.value)['description']);
      const parameters = [...pack.parameters.values()].map(
        (one) =>
          `- \`${one.name}\`: ${one.type}${one.default === undefined ? '' : `, \`${JSON.stringify(one.default)}\` by default`}`,
      );
      return [
        [`**Pack \`${name}\`** (${formatPlace(pack.where)})`, described, parameters.join('\n')]
          .filter(Boolean)
          .join('\n\n'),
      ];
    }
    case 'parameter': {
      const [, owner = '', own = ''] = /^(.*)\.(\w+)$/su.exec(name) ?? [];
      const found = packs.get(owner)?.parameters.get(own);
      const told = textOf(
        objectOf(objectOf(objectOf(packs.get(owner)?.document.value)['params'])[own])['description'],
      );
      return found === undefined
        ? []
        : [[`**Parameter \`${own}\`** of \`${owner}\`: ${found.type}`, told].filter(Boolean).join('\n\n')];
    }
    case 'variable': {
      const own = objectOf(objectOf(cursor.value)['vars'])[name];
      return [variableText(name, variables.get(name), own)];
    }
    default: {
      const { all } = await readNames(file);
      const same = all.filter((one) => one.kind === kind && one.name === name);
      const files = [...new Set(same.filter(({ isDeclared }) => !isDeclared).map(({ where }) => where.file))];
      const title = `**${TITLES[kind]} \`${name}\`**`;
      return [
        files.length === 0
          ? title
          : `${title}\n\nused in ${counted(files.length, 'file', 'files')}: ${someNames(files, 5)}`,
      ];
    }
  }
}

const TITLES = {
  list: 'List',
  ruleset: 'Custom ruleset',
  rule: 'Rule',
  zone: 'Zone',
  category: 'Category',
} as const;

function variableText(name: string, variable: Variable | undefined, own: JsonValue | undefined): string {
  const content = variable?.content;
  const value = own ?? (content?.kind === 'value' ? content.value : undefined);
  const said =
    content?.kind === 'sensitive'
      ? `sensitive, from the environment variable \`${content.env}\`, which is not read here`
      : value === undefined
        ? 'its value is not known here'
        : `\`${JSON.stringify(value)}\``;
  const where = own === undefined && variable !== undefined ? ` (${formatPlace(variable.where)})` : '';
  return `**Variable \`${name}\`**${where}\n\n${said}`;
}

/** Most rules of a pack that are shown. */
const MOST_RULES = 8;

/** Shows the rules that the use of a pack brings; of an expression with variables, how it comes out. */
async function explainComposed(file: EditedFile, { path }: YamlCursor): Promise<readonly string[]> {
  const place = rulePlaceOf(path);
  const { document } = parsedOf(file.source);
  if (place === undefined || document === undefined) {
    return [];
  }
  const isCondition = expressionRoleAt(path) === 'filter';
  if (file.kind === 'pack') {
    return isCondition ? composedInUse(file, place.rule) : [];
  }
  const isUse = place.inner.length === 1 && place.inner[0] === 'use';
  if (!isUse && !isCondition) {
    return [];
  }
  const rules = composedRules(document, file.project);
  if (isUse) {
    const { start } = locateValue(document, path);
    const brought = rules.filter(({ via }) => {
      const use = via.at(-1);
      return use?.file === file.path && use.start.line === start.line && use.start.column === start.column;
    });
    return brought.length === 0 ? [] : [rulesText(brought)];
  }
  const written = textOf(valueAt(document.value, path) ?? null);
  const rule = rules.find((one) => one.file === file.path && one.path.join('/') === place.rule.join('/'));
  return rule === undefined || rule.rule['expression'] === written ? [] : [rulesText([rule])];
}

/** Most files in which a use of a pack is looked for. */
const MOST_FILES = 8;

/** Shows how the rule of a pack comes out where it is used first. */
async function composedInUse(
  file: EditedFile,
  path: readonly (string | number)[],
): Promise<readonly string[]> {
  for (const user of await filesUsing(file)) {
    const read = await file.open.read(user);
    const document = read.kind === 'read' ? parsedOf(read.source).document : undefined;
    const rules = document === undefined ? [] : composedRules(document, file.project);
    const found = rules.find((one) => one.file === file.path && one.path.join('/') === path.join('/'));
    if (found !== undefined) {
      return [rulesText([found])];
    }
  }
  return [];
}

/** Returns files that use packs, those first that name this one themselves. */
async function filesUsing({ path, open, project }: EditedFile): Promise<readonly string[]> {
  const own = [...project.composer.packs.values()].find(
    ({ document }) => document.source.path === path,
  )?.name;
  const { all } = await readNames({ open, project });
  const uses = all.filter(
    ({ kind, isDeclared, where }) => kind === 'pack' && !isDeclared && project.files.includes(where.file),
  );
  const direct = uses.filter(({ name }) => name === own);
  return [...new Set([...direct, ...uses].map(({ where }) => where.file))].slice(0, MOST_FILES);
}

function rulesText(rules: readonly ComposedRule[]): string {
  const shown = rules.slice(0, MOST_RULES).map(({ rule, via, scope }) => {
    const name = textOf(rule['ref']) || textOf(rule['description']);
    const used = via.map((use) => ` via ${formatPlace(use)}`).join('');
    return `\`${name}\` in ${scope}${used}: ${textOf(rule['action'])}\n\`\`\`\n${textOf(rule['expression'])}\n\`\`\``;
  });
  const more = rules.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${counted(more, 'more rule', 'more rules')}`] : [])].join('\n\n');
}
