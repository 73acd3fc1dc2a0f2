import { allLists, utf16Offsets } from '../../expression/index.ts';
import type { ListKind, RuleContent } from '../../model/index.ts';
import { judgeChanged } from '../impact/judge-content.ts';
import type { SecurityImpact } from '../impact/security-effect.ts';
import { SAME, unproven } from '../impact/security-effect.ts';
import type { ListNamingRule } from './list-rules.ts';
import { redirectList } from './list-rules.ts';

/** Items that come to a list or leave it, by their keys, and one that stays. */
export interface ItemsMoved {
  readonly name: string;
  readonly kind: ListKind;
  readonly how: 'added' | 'removed';
  readonly keys: readonly string[];
  /** An item that is in the list before and after; absent when there is none. */
  readonly kept?: string | undefined;
}

/** The most items whose effect is looked at one by one: a proof takes as long as its sets are large. */
export const MOST_ITEMS = 200;

/**
 * Judges what items that come to a list or leave it do to protection by one rule that names it. The list in the rule's conditions is replaced by
 * sets of the items, before and after, and the rule is judged as if somebody had changed its conditions so: one judge for both. Items that stay
 * decide the same before and after, so one stands for all of them, as long as one field is looked up; what that leaves open is not proven.
 */
export function judgeItems({ scope, phase, content }: ListNamingRule, moved: ItemsMoved): SecurityImpact {
  if (!content.enabled || moved.keys.length === 0 || redirectList(content) === moved.name) {
    return SAME;
  }
  const kept = moved.kept ?? NOBODY[moved.kind];
  const more = [...new Set([kept, ...moved.keys.slice(0, MOST_ITEMS)])];
  const [before, after] = moved.how === 'added' ? [[kept], more] : [more, [kept]];
  const [was, is] = [withSets(content, moved, before), withSets(content, moved, after)];
  const impact = judgeChanged(was.content, is.content, { scope, phase });
  return impact.kind !== 'weaker' && isOpen(content, moved, was.uses)
    ? unproven(`does something else than before with ${moved.how} items, and what is not known`)
    : impact;
}

/** An item that no list has, where a set must not be empty. */
const NOBODY: Readonly<Record<ListKind, string>> = {
  ip: '0.0.0.0',
  asn: '0',
  hostname: 'invalid',
  redirect: '',
};

/** The fields that a list of a kind can be looked up for; a field that stands elsewhere in a rule tells items apart. */
const FIELDS: Readonly<Record<ListKind, RegExp>> = {
  ip: /\b(?:ip\.(?:src|dst)(?!\.\w)|cf\.edge\.server_ip|[a-z_.]+_ip)\b/gu,
  asn: /\basnum\b/gu,
  hostname: /\b(?:http\.host|http\.request\.full_uri|ssl\.server_name)\b/gu,
  redirect: /\bhttp\.request\.full_uri\b/gu,
};

/** Whether the replacement leaves something open: the list is looked up several times, or a condition may tell items apart that were not looked at. */
function isOpen(content: RuleContent, { kind, keys }: ItemsMoved, uses: number): boolean {
  const texts = [content.expression, JSON.stringify(content.ratelimit ?? {})].join(' ');
  const mentions = texts.match(FIELDS[kind])?.length ?? 0;
  const isVague = keys.length > MOST_ITEMS || keys.some((key) => key.startsWith('*.'));
  return uses !== 1 || (isVague && mentions > 1);
}

function withSets(content: RuleContent, moved: ItemsMoved, keys: readonly string[]) {
  const set = `{${keys.map((key) => (moved.kind === 'hostname' ? JSON.stringify(key) : key)).join(' ')}}`;
  return withListReplaced(content, moved.name, set);
}

/** Returns a rule with a list in its conditions replaced by a set, or by another list, and how often it stands there. */
export function withListReplaced(
  content: RuleContent,
  name: string,
  set: string,
): { readonly uses: number; readonly content: RuleContent } {
  const expression = replaced(content.expression, name, set);
  const counting = content.ratelimit?.['counting_expression'];
  if (typeof counting !== 'string') {
    return { uses: expression.uses, content: { ...content, expression: expression.text } };
  }
  const counted = replaced(counting, name, set);
  return {
    uses: expression.uses + counted.uses,
    content: {
      ...content,
      expression: expression.text,
      ratelimit: { ...content.ratelimit, counting_expression: counted.text },
    },
  };
}

/** Replaces a list in a condition by a set. */
function replaced(text: string, name: string, set: string): { readonly text: string; readonly uses: number } {
  const offsets = utf16Offsets(text);
  const spans = allLists(text, 'filter').filter((list) => list.name === name);
  let result = text;
  for (const { span } of spans.toReversed()) {
    result = result.slice(0, offsets(span.start)) + set + result.slice(offsets(span.end));
  }
  return { text: result, uses: spans.length };
}
