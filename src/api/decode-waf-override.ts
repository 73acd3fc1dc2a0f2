import type { OldOverride } from '../model/waf-migration.ts';
import type { Members } from './shape.ts';
import {
  flagOr,
  kindOf,
  optionalNumber,
  optionalObject,
  optionalText,
  optionalTexts,
  textMember,
  unexpected,
} from './shape.ts';

/** An override of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeWafOverride(override: Members): OldOverride {
  return {
    id: textMember(override, 'id'),
    description: optionalText(override, 'description') ?? '',
    urls: optionalTexts(override, 'urls'),
    priority: optionalNumber(override, 'priority') ?? 0,
    groups: actions(override, 'groups'),
    rules: actions(override, 'rules'),
    rewriteAction: actions(override, 'rewrite_action'),
    paused: flagOr(override, 'paused', false),
  };
}

function actions(override: Members, name: string): Readonly<Record<string, string>> {
  const { object, pointer } = optionalObject(override, name);
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      if (typeof value !== 'string') {
        throw unexpected(`${pointer}/${key}`, `should be text and is ${kindOf(value)}`);
      }
      return [key, value];
    }),
  );
}
