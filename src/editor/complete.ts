import { CompletionItemKind } from 'vscode-languageserver';
import { cursorAt, DIAGNOSTIC_CODES, valueAt } from '../config/index.ts';
import type { ValuePath, YamlCursor } from '../config/index.ts';
import { isJsonObject, objectOf, textOf } from '../data/index.ts';
import { CODES } from '../expression/index.ts';
import { actionsIn } from '../model/index.ts';
import type { RuleSite } from '../model/index.ts';
import { completeExpression } from './complete-expression.ts';
import type { Proposal } from './complete-expression.ts';
import { namesOfKind, readNames, settingAt } from './edited-file.ts';
import type { EditedFile, ProjectNames } from './edited-file.ts';
import { expressionCursor } from './expression-cursor.ts';
import type { KnownManagedNames } from './read-managed-names.ts';
import type { SchemaWalk } from './schema-walk.ts';
import { expressionRoleAt, rulePlaceOf } from './symbols.ts';

/** Proposals for a stretch of a text, by offsets. */
export interface Proposals {
  readonly start: number;
  readonly end: number;
  readonly items: readonly Proposal[];
}

/** What is completed with besides the file. */
export interface CompletionMeans {
  readonly schema: SchemaWalk;
  readonly managed: KnownManagedNames;
}

/** Returns what may stand at an offset of a file; undefined where nothing is known. */
export async function complete(
  file: EditedFile,
  offset: number,
  means: CompletionMeans,
): Promise<Proposals | undefined> {
  const cursor = cursorAt(file.source, offset);
  if (cursor === undefined) {
    return undefined;
  }
  const variable = openVariable(cursor);
  if (variable !== undefined) {
    const items = variableNames({ file, cursor, means, names: await readNames(file) });
    return placed(file, offset, { ...variable, items });
  }
  const whole = /(?:^|[^$])\$$/u.test(cursor.text.slice(0, cursor.at))
    ? variableNames({ file, cursor, means, names: await readNames(file) }).map(wholeVariable)
    : [];
  const role = cursor.part === 'value' ? expressionRoleAt(cursor.path) : undefined;
  if (role !== undefined && !cursor.mayBeKey) {
    const inside = expressionCursor(cursor.text, cursor.at);
    const setting = { role, ...settingAt(file, cursor.path, cursor.value) };
    // Only lists have names that other files know.
    const lists = inside.operator === 'in' ? namesOfKind(await readNames(file), 'list') : [];
    const items = [...completeExpression(inside, setting, { lists }), ...whole];
    const rest = /^[\w.]*/u.exec(cursor.text.slice(cursor.at))?.[0].length ?? 0;
    return placed(file, offset, { back: cursor.at - inside.start, ahead: rest, items });
  }
  if (whole.length > 0 && cursor.part === 'value') {
    return placed(file, offset, { back: 1, ahead: 0, items: whole });
  }
  const asking = { file, cursor, means, names: await readNames(file) };
  const ahead = cursor.text.length - cursor.at;
  // A key that has its colon is only renamed.
  const isWhole = cursor.part === 'key' && /^["']?[ \t]*:/u.test(file.source.text.slice(offset + ahead));
  const items =
    cursor.part === 'key' ? keysAt(asking, cursor.path, isWhole ? (key) => key : keyText) : valuesAt(asking);
  return placed(file, offset, { back: cursor.at, ahead, items });
}

interface Asking {
  readonly file: EditedFile;
  readonly cursor: YamlCursor;
  readonly means: CompletionMeans;
  readonly names: ProjectNames;
}

/** Places proposals in the file: as far as its characters are those of the text, and otherwise at the cursor. */
function placed(
  { source: { text } }: EditedFile,
  offset: number,
  {
    back,
    ahead,
    items,
  }: { readonly back: number; readonly ahead: number; readonly items: readonly Proposal[] },
): Proposals {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const rest = /^[^\n]*/u.exec(text.slice(offset))?.[0] ?? '';
  return {
    start: offset - (back <= line.length ? back : 0),
    end: offset + (ahead <= rest.length ? ahead : 0),
    items,
  };
}

/** Returns the variable `${…` that the cursor is in, before its end. */
function openVariable({
  part,
  text,
  at,
}: YamlCursor): { readonly back: number; readonly ahead: number } | undefined {
  const name = /(?:^|[^$])\$\{(\w*)$/u.exec(text.slice(0, at))?.[1];
  return part === 'key' || name === undefined
    ? undefined
    : { back: name.length, ahead: /^\w*\}?/u.exec(text.slice(at))?.[0].length ?? 0 };
}

function variableNames({ file, cursor, names }: Asking): readonly Proposal[] {
  const { params } = objectOf(cursor.value);
  const parameters = file.kind === 'pack' ? Object.entries(objectOf(params)) : [];
  const visible = names.all.filter(
    ({ kind, isDeclared, where }) =>
      kind === 'variable' &&
      isDeclared &&
      (where.file === file.path || where.file === file.open.file || file.kind === 'pack'),
  );
  const detailOf = (name: string): string => {
    const content = file.project.composer.variables.get(name)?.content;
    return content?.kind === 'value' ? JSON.stringify(content.value) : 'variable';
  };
  return [
    ...parameters.map(([name, parameter]) => ({
      label: name,
      kind: CompletionItemKind.Variable,
      detail: `parameter (${textOf(objectOf(parameter)['type'])})`,
      insert: `${name}}`,
      sortText: `0${name}`,
    })),
    ...[...new Set(visible.map(({ name }) => name))].map((name) => ({
      label: name,
      kind: CompletionItemKind.Variable,
      detail: detailOf(name),
      insert: `${name}}`,
      sortText: `1${name}`,
    })),
  ];
}

/** A variable as it is written where only its `$` is there. */
function wholeVariable({ insert: _insert, label, ...item }: Proposal): Proposal {
  return { ...item, label: `\${${label}}` };
}

/** Returns the keys that a mapping may still get. */
function keysAt(
  asking: Asking,
  path: ValuePath,
  put: (key: string, types: readonly string[]) => string = keyText,
): readonly Proposal[] {
  const { cursor, means } = asking;
  const present = objectOf(valueAt(cursor.value, path) ?? null);
  const own = [
    ...means.schema.keysAt(path, cursor.value).map(({ word, documentation, types }): Proposal => ({
      label: word,
      kind: CompletionItemKind.Property,
      documentation: { kind: 'markdown', value: documentation },
      insert: put(word, types),
    })),
    ...namedKeys(asking, path).map((item) => ({ ...item, insert: put(item.label, ['string']) })),
  ];
  return own
    .filter(({ label }) => !Object.hasOwn(present, label))
    .map((item, index) => ({ ...item, sortText: String(index).padStart(3, '0') }));
}

/** Keys that are names: arguments of packs, codes, rulesets. */
function namedKeys({ file, names, cursor }: Asking, path: ValuePath): readonly Proposal[] {
  const { inner, rule = [] } = rulePlaceOf(path) ?? {};
  const last = path.at(-1);
  if (inner?.length === 1 && last === 'with') {
    const use = objectOf(valueAt(cursor.value, rule) ?? null)['use'];
    const parameters = file.project.composer.packs.get(textOf(use))?.parameters.values() ?? [];
    return [...parameters].map(({ name, type, default: fallback }) => ({
      label: name,
      kind: CompletionItemKind.Variable,
      detail: `${type}${fallback === undefined ? ', needed' : `, ${JSON.stringify(fallback)} by default`}`,
    }));
  }
  if (file.kind === 'project' && path.length === 1 && last === 'lint') {
    return Object.entries({ ...DIAGNOSTIC_CODES, ...CODES }).flatMap(([code, { severity, title }]) =>
      severity === 'error' ? [] : [{ label: code, kind: CompletionItemKind.EnumMember, detail: title }],
    );
  }
  return last === 'rules' && path[0] === 'tests'
    ? namesOfKind(names, 'rule').map((label) => ({ label, kind: CompletionItemKind.Reference }))
    : [];
}

/** Returns a key as it is written with what follows it. */
function keyText(key: string, types: readonly string[]): string {
  const isCollection = types.length > 0 && types.every((type) => type === 'object' || type === 'array');
  return isCollection ? `${key}:` : `${key}: `;
}

/** Returns the values that a text may become, and the keys that it may begin. */
function valuesAt(asking: Asking): readonly Proposal[] {
  const { cursor, means } = asking;
  const { path, value } = cursor;
  const words = offered(asking, means.schema.valuesAt(path, value)).map(
    ({ word, documentation }): Proposal => ({
      label: word,
      kind: CompletionItemKind.EnumMember,
      documentation: { kind: 'markdown', value: documentation },
      // YAML of other versions reads these words as booleans, and the schema wants texts.
      ...(/^(?:on|off|yes|no)$/u.test(word) ? { insert: `"${word}"` } : {}),
    }),
  );
  const types = means.schema.typesAt(path, value);
  const mayHaveKeys = types.length === 0 || types.includes('object');
  return [...namedValues(asking), ...words, ...(cursor.mayBeKey && mayHaveKeys ? keysAt(asking, path) : [])];
}

/** Leaves of the actions those that rules may have there, where the phase and its rules are known. */
function offered<Word extends { readonly word: string }>(
  { file, cursor: { path, value } }: Asking,
  words: readonly Word[],
): readonly Word[] {
  if (rulePlaceOf(path)?.inner.join('/') !== 'action') {
    return words;
  }
  const { phase = '', level } = settingAt(file, path, value);
  const isCustom = path[0] === 'rulesets';
  const sites: readonly RuleSite[] = level === undefined ? SITES : [isCustom ? `${level}Custom` : level];
  const possible = new Set(sites.flatMap((site) => actionsIn(phase, site) ?? []));
  return possible.size === 0 ? words : words.filter(({ word }) => possible.has(word));
}

const SITES = ['zone', 'account', 'zoneCustom', 'accountCustom'] as const;

/** Values that are names of the project, or of the vendor. */
function namedValues({ file, cursor, means, names }: Asking): readonly Proposal[] {
  const { path, value } = cursor;
  const { inner, rule = [] } = rulePlaceOf(path) ?? {};
  const place = inner?.map((part) => (typeof part === 'number' ? '*' : part)).join('/');
  const last = path.at(-1);
  const items = (labels: Iterable<string>, detail: string): readonly Proposal[] =>
    [...labels].map((label) => ({ label, kind: CompletionItemKind.Reference, detail }));
  switch (place) {
    case 'use':
      return packItems(file, settingAt(file, path, value).phase);
    case 'action_parameters/id':
    case 'action_parameters/rulesets/*':
      return [
        ...means.managed.rulesets.map(({ name, title }) => ({
          label: name,
          kind: CompletionItemKind.Module,
          detail: title,
        })),
        ...items(
          namesOfKind(names, 'ruleset').map((name) => `custom:${name}`),
          'custom ruleset',
        ),
      ];
    case 'action_parameters/overrides/categories/*/category':
      return items(
        new Set([...means.managed.categories, ...namesOfKind(names, 'category')]),
        'category (tag)',
      );
    case 'action_parameters/overrides/rules/*/id':
      return means.managed.rules.map(({ id, title }) => ({
        label: id,
        kind: CompletionItemKind.Value,
        detail: title,
      }));
    case 'action_parameters/from_list/name':
      return items(namesOfKind(names, 'list'), 'list');
    default:
  }
  if (place !== undefined && inner?.length === 2 && inner[0] === 'with') {
    const use = objectOf(valueAt(value, rule) ?? null)['use'];
    const parameter = file.project.composer.packs.get(textOf(use))?.parameters.get(String(last));
    return [...(parameter?.enum ?? []), ...(parameter?.type === 'boolean' ? [true, false] : [])].map(
      (one) => ({
        label: String(one),
        kind: CompletionItemKind.EnumMember,
      }),
    );
  }
  if (file.kind === 'test' && last === 'zone') {
    return items(namesOfKind(names, 'zone'), 'zone');
  }
  const isPattern = path.at(-2) === 'protect' || (path.at(-2) === 'rules' && path.at(-3) === 'ownership');
  return isPattern || (file.kind === 'test' && last === 'rule')
    ? items(namesOfKind(names, 'rule'), 'rule')
    : [];
}

function packItems({ project }: EditedFile, phase: string | undefined): readonly Proposal[] {
  return [...project.composer.packs.values()]
    .filter(({ phases }) => phases === undefined || phase === undefined || phases.includes(phase))
    .map(({ name, document, parameters }): Proposal => {
      const needed = [...parameters.values()].filter((one) => one.default === undefined);
      const { value } = document;
      return {
        label: name,
        kind: CompletionItemKind.Module,
        detail: needed.length === 0 ? 'pack' : `pack, needs ${needed.map((one) => one.name).join(', ')}`,
        documentation:
          isJsonObject(value) && typeof value['description'] === 'string' ? value['description'] : '',
      };
    });
}
