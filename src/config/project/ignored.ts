import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Ignored } from '../../model/ignored.ts';
import type { JsonValue } from '../../model/json.ts';
import { isJsonObject, listOf } from '../../model/json.ts';
import { finding } from '../source/finding.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import { checkLastDay } from './last-day.ts';

/** An `ignore` list of a file: its path and its unchecked value. */
export interface IgnoreList {
  readonly path: ValuePath;
  readonly value: JsonValue | undefined;
}

/** Returns the entries of an `ignore` list, without those that the schema refuses. */
export function readIgnored(document: YamlDocument, { path, value }: IgnoreList): readonly Ignored[] {
  return entriesOf(value).map(({ index, rule, field, reason, until }) => {
    const { file, start } = locateKey(document, [...path, index]);
    return {
      rule,
      ...(field === undefined ? {} : { field }),
      reason,
      until,
      cause: { file, line: start.line, column: start.column },
    };
  });
}

/** Reports what the schema cannot see in an `ignore` list: days that do not exist or have passed, and fields that name a list item by number. */
export function checkIgnored(
  document: YamlDocument,
  { path, value }: IgnoreList,
  today?: string,
): readonly Diagnostic[] {
  return entriesOf(value).flatMap(({ index, rule, field, until }) => [
    ...checkLastDay(
      document,
      {
        path: [...path, index],
        until,
        what: `\`ignore\` of ${rule}${field === undefined ? '' : ` ${field}`}`,
        code: 'config/expired-ignore',
      },
      today,
    ),
    ...(field !== undefined && LIST_INDEX.test(field)
      ? [
          finding('config/ignored-list-item', {
            message: `${field} names an item of a list by its number, which means something else once the list changes`,
            hint: 'name the whole list, or an override of a managed rule by the id of the rule',
            where: locateValue(document, [...path, index, 'field']),
          }),
        ]
      : []),
  ]);
}

const LIST_INDEX = /\/\d{1,6}(\/|$)/;

interface Entry {
  readonly index: number;
  readonly rule: string;
  readonly field: string | undefined;
  readonly reason: string;
  readonly until: string;
}

function entriesOf(value: JsonValue | undefined): readonly Entry[] {
  return listOf(value).flatMap((item, index): readonly Entry[] => {
    if (!isJsonObject(item)) {
      return [];
    }
    const { rule, field, reason, until } = item;
    const usable = typeof rule === 'string' && typeof reason === 'string' && typeof until === 'string';
    return usable && (field === undefined || typeof field === 'string')
      ? [{ index, rule, field, reason, until }]
      : [];
  });
}
