import type { JsonValue } from '../../data/index.ts';
import {
  decodeResult,
  zoneFamilyPath,
  decodeAll,
  decodeItems,
  memberAt,
  membersAt,
  numberMember,
  textMember,
} from '../../api/index.ts';
import type { ReadClient, FieldReaders } from '../../api/index.ts';

/** A setting of a page rule; some have no value, such as `disable_security`. */
export interface PageRuleAction {
  readonly id: string;
  readonly value?: JsonValue;
}

/** A page rule (api.md 9.7). */
export interface PageRule {
  readonly id: string;
  /** The URL patterns, with `*`; in practice there is one. */
  readonly urls: readonly string[];
  readonly actions: readonly PageRuleAction[];
  /** The page rule with the highest number wins. */
  readonly priority: number;
  readonly active: boolean;
}

/** Reads all page rules of a zone; the response is not paginated (api.md 1.3). */
export async function listPageRules(client: ReadClient, zoneId: string): Promise<readonly PageRule[]> {
  return decodeResult(await client.get(zoneFamilyPath(zoneId, 'pagerules')), decodeAll(decodePageRule));
}

/** Decodes a page rule. Throws `api/unexpected-answer` with the JSON pointer to what is wrong. */
export function decodePageRule(rule: FieldReaders): PageRule {
  return {
    id: textMember(rule, 'id'),
    urls: decodeItems(rule, 'targets', decodeTarget),
    actions: decodeItems(rule, 'actions', decodeAction),
    priority: numberMember(rule, 'priority'),
    active: textMember(rule, 'status') === 'active',
  };
}

function decodeTarget(target: FieldReaders): string {
  return textMember(membersAt(memberAt(target, 'constraint')), 'value');
}

function decodeAction(action: FieldReaders): PageRuleAction {
  const id = textMember(action, 'id');
  const { value } = action.object;
  return value === undefined || value === null ? { id } : { id, value };
}

/** Names a page rule in messages: by its URL pattern. */
export function pageRuleName({ urls, id }: Pick<PageRule, 'urls' | 'id'>): string {
  return urls.length === 0 ? id : urls.join(' ');
}
