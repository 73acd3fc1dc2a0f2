import { accept } from './accept.ts';
import type { ReadClient, WriteClient } from './client.ts';
import { decodeAll, decodeDeleted, decodeSingle } from './decode-zone-objects.ts';
import { readByPage } from './pages.ts';
import { zoneFamilyPath, zoneObjectPath } from './paths.ts';
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
import type { WafOverrideContent } from './waf-override-requests.ts';
import {
  createWafOverrideRequest,
  deleteWafOverrideRequest,
  updateWafOverrideRequest,
} from './waf-override-requests.ts';
import type { JsonObject } from '../model/json.ts';
import type { OldOverride as WafOverride } from '../model/waf-migration.ts';

export type { OldOverride as WafOverride } from '../model/waf-migration.ts';

const FAMILY = 'firewall/waf/overrides';
const decodeOne = decodeSingle(decodeWafOverride);

/** All URI-based overrides of a zone: each of them blocks the WAF migration (specification 3.1 rule 4). */
export function listWafOverrides(client: ReadClient, zoneId: string): Promise<readonly WafOverride[]> {
  return readByPage(client, zoneFamilyPath(zoneId, FAMILY), {
    perPage: 100,
    decode: decodeAll(decodeWafOverride),
  });
}

/** One override. */
export async function getWafOverride(
  client: ReadClient,
  zoneId: string,
  overrideId: string,
): Promise<WafOverride> {
  return accept(await client.get(zoneObjectPath(zoneId, FAMILY, overrideId)), decodeOne);
}

/** Makes an override (specification 9, api.md 9.5). */
export async function createWafOverride(
  client: WriteClient,
  zoneId: string,
  content: WafOverrideContent,
): Promise<WafOverride> {
  return accept(await client.send(createWafOverrideRequest(zoneId, content)), decodeOne);
}

/** Replaces an override. */
export async function updateWafOverride(
  client: WriteClient,
  zoneId: string,
  overrideId: string,
  content: WafOverrideContent,
): Promise<WafOverride> {
  return accept(await client.send(updateWafOverrideRequest(zoneId, overrideId, content)), decodeOne);
}

/** Deletes an override. */
export async function deleteWafOverride(
  client: WriteClient,
  zoneId: string,
  overrideId: string,
): Promise<void> {
  accept(await client.send(deleteWafOverrideRequest(zoneId, overrideId)), decodeDeleted([overrideId]));
}

function decodeWafOverride({ value, pointer }: Place): WafOverride {
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
