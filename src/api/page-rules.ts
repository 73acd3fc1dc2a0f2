import { accept } from './accept.ts';
import type { ReadClient, WriteClient } from './client.ts';
import { decodeAll, decodeDeleted, decodeSingle } from './decode-zone-objects.ts';
import { zoneFamilyPath, zoneObjectPath } from './paths.ts';
import type { Place } from './shape.ts';
import { numberMember, objectAt, optionalItems, textMember } from './shape.ts';
import type { JsonValue } from '../model/json.ts';

const FAMILY = 'pagerules';

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

/** A page rule to make or to replace; the service's defaults are priority 1 and not active. */
export interface NewPageRule {
  readonly url: string;
  readonly actions: readonly PageRuleAction[];
  readonly priority?: number;
  readonly active?: boolean;
}

const decodeOne = decodeSingle(decodePageRule);

/** All page rules of a zone; they come in one answer, without pages (api.md 1.3). */
export async function listPageRules(client: ReadClient, zoneId: string): Promise<readonly PageRule[]> {
  return accept(await client.get(zoneFamilyPath(zoneId, FAMILY)), decodeAll(decodePageRule));
}

/** One page rule. */
export async function getPageRule(client: ReadClient, zoneId: string, pageRuleId: string): Promise<PageRule> {
  return accept(await client.get(zoneObjectPath(zoneId, FAMILY, pageRuleId)), decodeOne);
}

/** Makes a page rule. */
export async function createPageRule(
  client: WriteClient,
  zoneId: string,
  rule: NewPageRule,
): Promise<PageRule> {
  const path = zoneFamilyPath(zoneId, FAMILY);
  return accept(await client.send({ method: 'POST', path, body: wireOf(rule) }), decodeOne);
}

/** Replaces a page rule. */
export async function updatePageRule(
  client: WriteClient,
  zoneId: string,
  pageRuleId: string,
  rule: NewPageRule,
): Promise<PageRule> {
  const path = zoneObjectPath(zoneId, FAMILY, pageRuleId);
  return accept(await client.send({ method: 'PUT', path, body: wireOf(rule) }), decodeOne);
}

/** Changes what is named of a page rule and leaves the rest. */
export async function editPageRule(
  client: WriteClient,
  zoneId: string,
  pageRuleId: string,
  change: Partial<NewPageRule>,
): Promise<PageRule> {
  const path = zoneObjectPath(zoneId, FAMILY, pageRuleId);
  return accept(await client.send({ method: 'PATCH', path, body: wireOf(change) }), decodeOne);
}

/** Deletes a page rule. */
export async function deletePageRule(client: WriteClient, zoneId: string, pageRuleId: string): Promise<void> {
  const path = zoneObjectPath(zoneId, FAMILY, pageRuleId);
  accept(await client.send({ method: 'DELETE', path }), decodeDeleted([pageRuleId]));
}

function wireOf({ url, actions, priority, active }: Partial<NewPageRule>): unknown {
  return {
    ...(url === undefined
      ? {}
      : { targets: [{ target: 'url', constraint: { operator: 'matches', value: url } }] }),
    ...(actions === undefined ? {} : { actions }),
    ...(priority === undefined ? {} : { priority }),
    ...(active === undefined ? {} : { status: active ? 'active' : 'disabled' }),
  };
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
