import { assertNever } from '../../data/index.ts';
import type { ScopeRef } from '../../model/index.ts';
import { isId } from '../../model/index.ts';

/** A ruleset as it is typed: `http_ratelimit`, `http_request_firewall_custom/custom:login`, or an id of 32 hex digits. */
export type RulesetName =
  | { readonly kind: 'entrypoint'; readonly phase: string }
  | { readonly kind: 'custom'; readonly phase: string; readonly slug: string }
  | { readonly kind: 'id'; readonly id: string };

/** A list or a setting as it is typed: `list:office`, `setting:ssl`. */
export type ObjectName =
  | { readonly kind: 'list'; readonly name: string }
  | { readonly kind: 'setting'; readonly name: string };

/** Parses the name of a list or a setting; null if the text is none. Plans call a setting below `zone` also `zone.ssl`. */
export function parseObjectName(text: string): ObjectName | null {
  const [, kind, name] = /^(list|setting):(?:zone\.)?([a-z0-9_]+)$/u.exec(text) ?? [];
  return name === undefined ? null : { kind: kind === 'list' ? 'list' : 'setting', name };
}

/** Returns the name of a list or a setting as it is typed. */
export function objectNameText({ kind, name }: ObjectName): string {
  return `${kind}:${name}`;
}

/** Parses the name of a ruleset; null if the text is none. */
export function parseRulesetName(text: string): RulesetName | null {
  if (isId(text)) {
    return { kind: 'id', id: text };
  }
  const [, phase, name] = /^([a-z0-9_]+)(?:\/custom:([a-z0-9-]+))?$/.exec(text) ?? [];
  if (phase === undefined) {
    return null;
  }
  return name === undefined ? { kind: 'entrypoint', phase } : { kind: 'custom', phase, slug: name };
}

/** Returns the name of a ruleset as it is typed, which `parseRulesetName` reads. */
export function rulesetNameText(name: RulesetName): string {
  switch (name.kind) {
    case 'entrypoint':
      return name.phase;
    case 'custom':
      return `${name.phase}/custom:${name.slug}`;
    case 'id':
      return name.id;
    default:
      return assertNever(name);
  }
}

/** Parses a scope: `shop.example` and `zone:shop.example` are zones, `account:Shop` is an account. Null if the text is neither. */
export function parseScopeName(text: string): ScopeRef | null {
  const [, kind, name] = /^(?:(zone|account):)?([^/]+)$/.exec(text) ?? [];
  return name === undefined ? null : { kind: kind === 'account' ? 'account' : 'zone', name };
}
