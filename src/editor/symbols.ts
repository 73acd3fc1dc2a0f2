import { locateKey, locateStretch, parseTemplate, valueAt } from '../config/index.ts';
import type { ValuePath, YamlDocument } from '../config/index.ts';
import { isJsonArray, isJsonObject, memoiseWeakly, objectOf, textOf } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';
import { roleAt } from '../model/index.ts';
import type { ExpressionRole, SourceSpan } from '../model/index.ts';
import { slug } from '../text/index.ts';

/** What a project gives names to. Parameters are named `pack.parameter`. */
export type NamedKind = 'pack' | 'variable' | 'parameter' | 'list' | 'ruleset' | 'rule' | 'zone' | 'category';

/** A name in a text or key; offsets count UTF-16 units of it. */
export interface NameInText {
  readonly kind: NamedKind;
  readonly name: string;
  readonly isDeclared: boolean;
  readonly start: number;
  readonly end: number;
}

/** A name in a file. */
export interface NameInFile extends Pick<NameInText, 'kind' | 'name' | 'isDeclared'> {
  readonly where: SourceSpan;
  readonly path: ValuePath;
}

/** A text or key of a document. */
export interface TextPlace {
  readonly part: 'key' | 'value';
  /** Path of the text; of a key, that of its mapping. */
  readonly path: ValuePath;
  readonly text: string;
  /** The value of the whole document. */
  readonly value: JsonValue;
}

/** A place inside a rule, or inside the use of a pack. */
export interface PathInRule {
  /** Path of the rule in the document, and of the place in the rule. */
  readonly rule: ValuePath;
  readonly inner: ValuePath;
}

/** Returns the rule that a path leads into; undefined outside of rules. */
export function rulePlaceOf(path: ValuePath): PathInRule | undefined {
  const at = path.findIndex((part, index) => part === 'rules' && typeof path[index + 1] === 'number');
  const isRule = at === 0 || (at === 2 && (path[0] === 'entrypoints' || path[0] === 'rulesets'));
  return isRule ? { rule: path.slice(0, at + 2), inner: path.slice(at + 2) } : undefined;
}

/** Returns what the text at a path is an expression for; undefined where it is none. */
export function expressionRoleAt(path: ValuePath): ExpressionRole | undefined {
  const place = rulePlaceOf(path);
  return place && roleAt(place.inner);
}

/** Returns the names that a text or key declares or uses. */
export function namesIn(place: TextPlace): readonly NameInText[] {
  return place.part === 'key' ? namesInKey(place) : [...variablesIn(place), ...namesInValue(place)];
}

function whole(kind: NamedKind, name: string, text: string, isDeclared = false): readonly NameInText[] {
  return name === '' ? [] : [{ kind, name, isDeclared, start: 0, end: text.length }];
}

function namesInKey({ path, text, value }: TextPlace): readonly NameInText[] {
  const last = path.at(-1);
  if (
    (path.length === 1 && (last === 'vars' || last === 'env')) ||
    (path[0] === 'zones' && last === 'vars')
  ) {
    return whole('variable', text, text, true);
  }
  const { inner, rule = [] } = rulePlaceOf(path) ?? {};
  const { pack } = objectOf(value);
  if (path.length === 1 && last === 'params') {
    return whole('parameter', `${textOf(pack)}.${text}`, text, true);
  }
  if (inner?.length === 1 && last === 'with') {
    const used = objectOf(valueAt(value, rule) ?? null)['use'];
    return whole('parameter', `${textOf(used)}.${text}`, text);
  }
  if (path[0] === 'tests' && last === 'rules') {
    return whole('rule', text, text);
  }
  return rulesetIn(text);
}

function namesInValue({ path, text }: TextPlace): readonly NameInText[] {
  const last = path.at(-1);
  const { inner } = rulePlaceOf(path) ?? {};
  if (inner?.length === 1 && last === 'use') {
    return whole('pack', text, text);
  }
  if (inner?.length === 1 && last === 'ref') {
    return whole('rule', text, text, true);
  }
  if (path.length === 1 && last === 'pack') {
    return whole('pack', text, text, true);
  }
  if (path[0] === 'rulesets' && path.length === 3 && last === 'name') {
    return whole('ruleset', slug(text), text, true);
  }
  if (path[0] === 'lists' && path.length === 3 && last === 'name') {
    return whole('list', text, text, true);
  }
  if (inner?.join('/') === 'action_parameters/from_list/name') {
    return whole('list', text, text);
  }
  if (inner !== undefined && last === 'category') {
    return whole('category', text, text);
  }
  if (last === 'zone' && path.length === 1) {
    return whole('zone', text, text);
  }
  if (path[0] === 'tests' ? last === 'rule' : path[0] === 'safety' && path[1] === 'protect') {
    return text.includes('*') ? [] : whole('rule', text, text);
  }
  return expressionRoleAt(path) === undefined ? rulesetIn(text) : listsIn(text);
}

function rulesetIn(text: string): readonly NameInText[] {
  const [, name = ''] = /^custom:(.+)$/u.exec(text) ?? [];
  return whole('ruleset', name, text);
}

/** Text in quotes, and `$name` of a list outside of it; `${name}` is a variable. */
const LISTS = /"(?:\\.|[^"\\])*"|\$(?<name>[a-z0-9_.]+)/gsu;

function listsIn(text: string): readonly NameInText[] {
  return [...text.matchAll(LISTS)].flatMap(({ index, 0: all, groups }): readonly NameInText[] => {
    const name = groups?.['name'];
    return name === undefined
      ? []
      : [{ kind: 'list', name, isDeclared: false, start: index, end: index + all.length }];
  });
}

function variablesIn({ text, value }: TextPlace): readonly NameInText[] {
  if (!text.includes('${')) {
    return [];
  }
  const { pack, params } = objectOf(value);
  return parseTemplate(text).flatMap((part): readonly NameInText[] => {
    if (part.kind !== 'variable') {
      return [];
    }
    const isParameter = typeof pack === 'string' && Object.hasOwn(objectOf(params), part.name);
    return [
      {
        kind: isParameter ? 'parameter' : 'variable',
        name: isParameter ? `${pack}.${part.name}` : part.name,
        isDeclared: false,
        start: part.start + 2,
        end: part.end - 1,
      },
    ];
  });
}

/** Returns all names in a document. */
export const namesOf = memoiseWeakly((document: YamlDocument): readonly NameInFile[] => {
  const found: NameInFile[] = [];
  const visit = (value: JsonValue, path: ValuePath): void => {
    if (typeof value === 'string') {
      for (const { kind, name, isDeclared, ...stretch } of namesIn({
        part: 'value',
        path,
        text: value,
        value: document.value,
      })) {
        found.push({ kind, name, isDeclared, where: locateStretch(document, path, stretch).where, path });
      }
    } else if (isJsonArray(value)) {
      value.forEach((item, index) => visit(item, [...path, index]));
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        for (const { kind, name, isDeclared } of namesIn({
          part: 'key',
          path,
          text: key,
          value: document.value,
        })) {
          found.push({
            kind,
            name,
            isDeclared,
            where: locateKey(document, [...path, key]),
            path: [...path, key],
          });
        }
        visit(member, [...path, key]);
      }
    }
  };
  visit(document.value, []);
  return found;
});
