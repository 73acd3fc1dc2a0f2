import { namedLists, utf16Offsets } from '../../expression/index.ts';
import { objectOf } from '../../model/json.ts';
import type { JsonObject } from '../../model/json.ts';
import { createLimitedMap } from '../../model/limited-map.ts';
import type { ListKind, ListUse } from '../../model/list.ts';
import { expressionsIn } from '../../model/rule-expressions.ts';
import { locateStretch } from '../yaml/locate-stretch.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import type { DeclaredRule, DeclaredRuleset } from './scope-file.ts';

/** Returns the lists that a declared rule names, each with its place in the file. */
export type ListUses = (ruleset: DeclaredRuleset, rule: DeclaredRule) => readonly ListUse[];

/** A list in the text of an expression; offsets count UTF-16 units. */
interface ListInText {
  readonly name: string;
  readonly holds: ListKind;
  readonly start: number;
  readonly end: number;
}

type Mode = 'filter' | 'value';

/** Most texts whose lists are remembered. */
const MAX_KNOWN = 10_000;

/** Creates a function that finds the lists in rules. It remembers the lists of each text, since packs bring one text into a hundred zones. */
export function createListUses(): ListUses {
  const known = createLimitedMap<readonly ListInText[]>(MAX_KNOWN);
  const listsIn = (text: string, mode: Mode): readonly ListInText[] => {
    const key = `${mode} ${text}`;
    return known.get(key) ?? known.keep(key, readLists(text, mode));
  };
  return ({ document }, { path, value }) => [
    ...expressionsIn(value).flatMap(({ path: inner, text, role }) =>
      role === 'characteristic' || !text.includes('$')
        ? []
        : listsIn(text, role === 'filter' || role === 'counting' ? 'filter' : 'value').map(
            ({ name, holds, ...stretch }) => ({
              name,
              holds,
              where: locateStretch(document, [...path, ...inner], stretch).where,
            }),
          ),
    ),
    ...redirectList(value).map((name) => ({
      name,
      holds: 'redirect' as const,
      where: locateValue(document, [...path, ...REDIRECT_LIST]),
    })),
  ];
}

function readLists(text: string, mode: Mode): readonly ListInText[] {
  const offsets = utf16Offsets(text);
  return namedLists(text, mode).map(({ name, holds, span }) => ({
    name,
    holds,
    start: offsets(span.start),
    end: offsets(span.end),
  }));
}

/** Path of the list's name in a redirect rule (api.md 5.6). */
const REDIRECT_LIST = ['action_parameters', 'from_list', 'name'] as const;

function redirectList({ action_parameters: parameters }: JsonObject): readonly string[] {
  const list = objectOf(parameters)['from_list'];
  const name = objectOf(list)['name'];
  return typeof name === 'string' ? [name] : [];
}
