import { accept } from './accept.ts';
import type { ReadClient } from './client.ts';
import { zoneFamilyPath } from './paths.ts';
import type { Place } from './shape.ts';
import { decodeAll, numberMember, objectAt, optionalItems, textMember } from './shape.ts';
import type { JsonValue } from '../model/json.ts';

/** A setting of a page rule; some have no value, such as `disable_security`. */
export interface PageRuleAction {
  readonly id: string;
  readonly value?: JsonValue;
}

/** A page rule (api.md 9.7). */
export interface PageRule {
  readonly id: string;
  /** The URL patterns, with `*`; in practice one. */
  readonly urls: readonly string[];
  readonly actions: readonly PageRuleAction[];
  /** The higher number wins. */
  readonly priority: number;
  readonly active: boolean;
}

/** All page rules of a zone; they come in one answer, without pages (api.md 1.3). */
export async function listPageRules(client: ReadClient, zoneId: string): Promise<readonly PageRule[]> {
  return accept(await client.get(zoneFamilyPath(zoneId, 'pagerules')), decodeAll(decodePageRule));
}

function decodePageRule({ value, pointer }: Place): PageRule {
  const rule = objectAt({ value, pointer });
  return {
    id: textMember(rule, 'id', pointer),
    urls: optionalItems(rule, 'targets', pointer).map(decodeTarget),
    actions: optionalItems(rule, 'actions', pointer).map(decodeAction),
    priority: numberMember(rule, 'priority', pointer),
    active: textMember(rule, 'status', pointer) === 'active',
  };
}

function decodeTarget(place: Place): string {
  const at = `${place.pointer}/constraint`;
  const constraint = objectAt({ value: objectAt(place)['constraint'], pointer: at });
  return textMember(constraint, 'value', at);
}

function decodeAction(place: Place): PageRuleAction {
  const action = objectAt(place);
  const id = textMember(action, 'id', place.pointer);
  const { value } = action;
  return value === undefined || value === null ? { id } : { id, value };
}
