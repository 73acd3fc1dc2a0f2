import type { JsonObject } from '../model/json.ts';
import type { OldOverride } from '../model/waf-migration.ts';
import type { Place } from './shape.ts';
import {
  flagOr,
  kindOf,
  objectAt,
  optionalNumber,
  optionalObject,
  optionalText,
  optionalTexts,
  textMember,
  unexpected,
} from './shape.ts';

/** An override of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeWafOverride({ value, pointer }: Place): OldOverride {
  const override = objectAt({ value, pointer });
  return {
    id: textMember(override, 'id', pointer),
    description: optionalText(override, 'description', pointer) ?? '',
    urls: optionalTexts(override, 'urls', pointer),
    priority: optionalNumber(override, 'priority', pointer) ?? 0,
    groups: actions(override, 'groups', pointer),
    rules: actions(override, 'rules', pointer),
    rewriteAction: actions(override, 'rewrite_action', pointer),
    paused: flagOr(override, 'paused', { pointer, standard: false }),
  };
}

function actions(override: JsonObject, name: string, pointer: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(optionalObject(override, name, pointer)).map(([key, value]) => {
      if (typeof value !== 'string') {
        throw unexpected(`${pointer}/${name}/${key}`, `should be text and is ${kindOf(value)}`);
      }
      return [key, value];
    }),
  );
}
