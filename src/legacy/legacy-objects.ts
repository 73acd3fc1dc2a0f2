import type { JsonObject } from '../data/index.ts';
import {
  decodeResult,
  readByPage,
  zoneFamilyPath,
  zoneObjectPath,
  decodeAll,
  decodeItems,
  decodeOne,
  flagOr,
  kindOf,
  memberAt,
  membersAt,
  numberMember,
  optionalItems,
  optionalNumber,
  optionalObject,
  optionalText,
  optionalTexts,
  textMember,
  unexpected,
} from '../api/index.ts';
import type { ReadClient, WriteClient, ZoneFamily, FieldReaders, AnswerLocation } from '../api/index.ts';
import type { OldOverride } from './waf/waf-migration.ts';
import { decodePageRule, listPageRules } from './page-rules/page-rule.ts';
import type { PageRule } from './page-rules/page-rule.ts';
import type { OldFilter, OldFirewallRule, OldRateLimit } from './conversion.ts';

/** The operations on a deprecated family of a zone: read its objects, and delete those that have been replaced. */
interface OldFamily<Item> {
  readonly list: (client: ReadClient, zoneId: string) => Promise<readonly Item[]>;
  readonly get: (client: ReadClient, zoneId: string, objectId: string) => Promise<Item>;
  /** The response to a deletion differs between families (api.md 9.1, 9.2, 9.6: `[{id}]`, `{id}`, `[]`, `null`) and is ignored. */
  readonly remove: (
    client: WriteClient,
    zoneId: string,
    objectId: string,
    body?: JsonObject,
  ) => Promise<void>;
}

/** Old firewall rules in list order, which is not the order in which they run (specification 4.2, api.md 9.1). */
export const firewallRules = oldFamily('firewall/rules', decodeFirewallRule);

/** The body with which deleting a firewall rule deletes its filter as well, if nothing else uses it (api.md 9.1). */
export const WITH_UNUSED_FILTER = { delete_filter_if_unused: true };

/** Old filters, those that no rule uses included (specification 4.2, api.md 9.2). */
export const filters = oldFamily('filters', decodeFilter);

/** Old rate limits (specification 9, api.md 9.6). */
export const rateLimits = oldFamily('rate_limits', decodeRateLimit);

/** URI-based overrides of the old WAF: each of them blocks the WAF migration (specification 3.1 rule 4, api.md 9.5). */
export const wafOverrides = oldFamily('firewall/waf/overrides', decodeWafOverride);

/** Page rules; the response is not paginated (api.md 1.3, 9.7). */
export const pageRules: OldFamily<PageRule> = {
  ...oldFamily('pagerules', decodePageRule),
  list: listPageRules,
};

function oldFamily<Item>(family: ZoneFamily, decode: (members: FieldReaders) => Item): OldFamily<Item> {
  return {
    list: (client, zoneId) =>
      readByPage(client, zoneFamilyPath(zoneId, family), { perPage: 100, decode: decodeAll(decode) }),
    get: async (client, zoneId, objectId) =>
      decodeResult(await client.get(zoneObjectPath(zoneId, family, objectId)), decodeOne(decode)),
    remove: async (client, zoneId, objectId, body) => {
      const path = zoneObjectPath(zoneId, family, objectId);
      await client.send({ method: 'DELETE', path, ...(body === undefined ? {} : { body }) });
    },
  };
}

/** Decodes a filter. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeFilter(filter: FieldReaders): OldFilter {
  return {
    id: textMember(filter, 'id'),
    expression: textMember(filter, 'expression'),
    paused: flagOr(filter, 'paused', false),
    description: optionalText(filter, 'description') ?? '',
    ref: optionalText(filter, 'ref') ?? '',
  };
}

/** Decodes a firewall rule. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeFirewallRule(rule: FieldReaders): OldFirewallRule {
  return {
    id: textMember(rule, 'id'),
    action: textMember(rule, 'action'),
    products: optionalTexts(rule, 'products'),
    priority: optionalNumber(rule, 'priority') ?? null,
    paused: flagOr(rule, 'paused', false),
    description: optionalText(rule, 'description') ?? '',
    ref: optionalText(rule, 'ref') ?? '',
    filter: decodeRuleFilter(membersAt(memberAt(rule, 'filter'))),
  };
}

function decodeRuleFilter(filter: FieldReaders): OldFirewallRule['filter'] {
  return flagOr(filter, 'deleted', false)
    ? { kind: 'deleted', id: textMember(filter, 'id') }
    : { kind: 'filter', ...decodeFilter(filter) };
}

/** An old rate limit, with the object that the service sent. */
export interface RateLimit extends OldRateLimit {
  readonly wire: JsonObject;
}

/** Decodes a rate limit. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeRateLimit(limit: FieldReaders): RateLimit {
  return {
    id: textMember(limit, 'id'),
    disabled: flagOr(limit, 'disabled', false),
    description: optionalText(limit, 'description') ?? '',
    threshold: numberMember(limit, 'threshold'),
    period: numberMember(limit, 'period'),
    ...decodeMatch(optionalObject(limit, 'match')),
    bypassUrls: decodeItems(limit, 'bypass', (bypass) => textMember(bypass, 'value')),
    action: decodeAction(membersAt(memberAt(limit, 'action'))),
    correlateBy: optionalText(optionalObject(limit, 'correlate'), 'by') ?? null,
    wire: limit.object,
  };
}

function decodeMatch(match: FieldReaders): Pick<RateLimit, 'request' | 'response'> {
  const request = optionalObject(match, 'request');
  const response = optionalObject(match, 'response');
  return {
    request: {
      methods: optionalTexts(request, 'methods'),
      schemes: optionalTexts(request, 'schemes'),
      url: optionalText(request, 'url') ?? '',
    },
    response: {
      statuses: optionalItems(response, 'status').map(decodeStatus),
      originTraffic: flagOr(response, 'origin_traffic', true),
      // The newest schema has the headers one level higher.
      headers: [response, match].flatMap((holder) => decodeItems(holder, 'headers', decodeHeader)),
    },
  };
}

function decodeStatus({ value, pointer }: AnswerLocation): number {
  if (typeof value !== 'number') {
    throw unexpected(pointer, 'should be a number');
  }
  return value;
}

function decodeHeader(header: FieldReaders): OldRateLimit['response']['headers'][number] {
  return {
    name: textMember(header, 'name'),
    op: textMember(header, 'op'),
    value: optionalText(header, 'value') ?? '',
  };
}

function decodeAction(action: FieldReaders): RateLimit['action'] {
  const given = memberAt(action, 'response');
  const response = (given.value ?? null) === null ? null : membersAt(given);
  return {
    mode: textMember(action, 'mode'),
    timeout: optionalNumber(action, 'timeout') ?? null,
    response:
      response === null
        ? null
        : {
            contentType: optionalText(response, 'content_type') ?? '',
            body: optionalText(response, 'body') ?? '',
          },
  };
}

/** Decodes an override. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
function decodeWafOverride(override: FieldReaders): OldOverride {
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

function actions(override: FieldReaders, name: string): Readonly<Record<string, string>> {
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
