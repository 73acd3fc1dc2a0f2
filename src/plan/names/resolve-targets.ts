import { directsRules } from '../../model/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject } from '../../data/index.ts';
import { nearName, slug } from '../../text/index.ts';
import type { RuleContent, LiveRulesetHead } from '../../model/index.ts';

/** A reference that matches no ruleset, or more than one. */
export interface UnresolvedTarget {
  readonly reference: string;
  readonly reason: string;
}

/** Content with names replaced by ids; a ruleset that the plan creates stays `custom:<slug>`. */
interface ResolvedContent {
  readonly content: RuleContent;
  readonly unresolved: readonly UnresolvedTarget[];
}

/** The rulesets that names can refer to in one scope. */
export interface TargetIndex {
  readonly catalogue: readonly LiveRulesetHead[];
  /** Slugs of custom rulesets that this plan creates, with their phase. */
  readonly created: readonly { readonly slug: string; readonly phase: string }[];
}

/**
 * Replaces `managed:<slug>` and `custom:<slug>` in `execute` `id`, `skip` `rulesets` and the keys of `skip` `rules` by ids. An executed ruleset
 * has the phase of the rule that executes it (api.md 4.4); skip rules may name rulesets of any phase.
 */
export function resolveTargets(content: RuleContent, phase: string, index: TargetIndex): ResolvedContent {
  const parameters = content.action_parameters;
  if (parameters === undefined || !mayRefer(content)) {
    return { content, unresolved: [] };
  }
  const unresolved: UnresolvedTarget[] = [];
  const resolve = (reference: string, inPhase: string | undefined): string => {
    const [kind, name = ''] = splitReference(reference);
    if (kind === undefined) {
      const meant = index.catalogue.find((head) => head.id === reference);
      if (meant !== undefined && !isOfPhase(meant, inPhase)) {
        unresolved.push({ reference, reason: ofOtherPhase(meant) });
      }
      return reference;
    }
    const named = index.catalogue.filter((head) => head.kind === kind && slug(head.name) === name);
    const found = named.filter((head) => isOfPhase(head, inPhase));
    const coming =
      kind === 'custom' &&
      index.created.some((made) => made.slug === name && (inPhase === undefined || made.phase === inPhase));
    const [first, second] = found;
    if (first !== undefined && second === undefined && !coming) {
      return first.id;
    }
    if (first === undefined && coming) {
      return reference;
    }
    unresolved.push({
      reference,
      // A zone sees the rulesets of its account as well.
      reason:
        first !== undefined && coming
          ? `the files create a ruleset of this name, and ${first.id} already has it; give yours another name`
          : explain({ found, named }, { kind, name }, index),
    });
    return reference;
  };
  const changed =
    content.action === 'execute'
      ? resolveExecute(parameters, (reference) => resolve(reference, phase))
      : resolveSkip(parameters, (reference) => resolve(reference, undefined));
  return { content: { ...content, action_parameters: changed }, unresolved };
}

/** Whether a rule's action can name rulesets. */
export function mayRefer({ action }: RuleContent): boolean {
  return directsRules(action);
}

/** Splits a reference into kind and slug; `[undefined]` for an id. */
export function splitReference(text: string): readonly ['managed' | 'custom', string] | readonly [undefined] {
  if (text.startsWith('managed:')) {
    return ['managed', text.slice('managed:'.length)];
  }
  return text.startsWith('custom:') ? ['custom', text.slice('custom:'.length)] : [undefined];
}

/** Replaces the id in `execute` parameters. */
export function resolveExecute(parameters: JsonObject, resolve: (reference: string) => string): JsonObject {
  const { id } = parameters;
  return typeof id === 'string' ? { ...parameters, id: resolve(id) } : parameters;
}

/** Replaces the ids in `skip` parameters. */
export function resolveSkip(parameters: JsonObject, resolve: (reference: string) => string): JsonObject {
  const { rulesets, rules } = parameters;
  const replace = (value: JsonValue): JsonValue => (typeof value === 'string' ? resolve(value) : value);
  return {
    ...parameters,
    ...(isJsonArray(rulesets) ? { rulesets: rulesets.map(replace) } : {}),
    ...(isJsonObject(rules) ? { rules: resolveKeys(rules, resolve) } : {}),
  };
}

/** Merges entries whose names resolve to one ruleset; an empty list means the whole ruleset (api.md 5.4). */
function resolveKeys(rules: JsonObject, resolve: (reference: string) => string): JsonObject {
  const resolved = new Map<string, JsonValue>();
  for (const [reference, ids] of Object.entries(rules)) {
    const key = resolve(reference);
    const known = resolved.get(key);
    const both = isJsonArray(known) && isJsonArray(ids) && known.length > 0 && ids.length > 0;
    resolved.set(key, both ? [...new Set([...known, ...ids])] : known !== undefined ? [] : ids);
  }
  return Object.fromEntries(resolved);
}

function isOfPhase(head: LiveRulesetHead, phase: string | undefined): boolean {
  return phase === undefined || head.phase === phase;
}

function ofOtherPhase({ name, phase }: LiveRulesetHead): string {
  return `${JSON.stringify(name)} belongs to phase ${phase}, and only its entry point executes it`;
}

interface Meant {
  readonly kind: 'managed' | 'custom';
  readonly name: string;
}

/** The rulesets that a name may mean: those of a fitting phase, and those of any phase. */
interface Bearers {
  readonly found: readonly LiveRulesetHead[];
  readonly named: readonly LiveRulesetHead[];
}

function explain({ found, named: [elsewhere] }: Bearers, { kind, name }: Meant, index: TargetIndex): string {
  if (found.length > 1) {
    return `more than one ${kind} ruleset has this name: ${found.map((head) => head.id).join(', ')}`;
  }
  if (elsewhere !== undefined) {
    return ofOtherPhase(elsewhere);
  }
  const names = [
    ...new Set(index.catalogue.filter((head) => head.kind === kind).map((head) => slug(head.name))),
  ].sort();
  if (names.length === 0) {
    return `the scope sees no ${kind} ruleset`;
  }
  const near = nearName(name, names);
  const known =
    near === undefined
      ? `there are ${names.map((one) => `${kind}:${one}`).join(', ')}`
      : `did you mean ${kind}:${near}?`;
  return `no ${kind} ruleset of this name; ${known}`;
}

/** Reverses `resolveTargets`: replaces ids by `managed:<slug>` and `custom:<slug>` where the name refers to exactly this ruleset. */
export function nameTargets(
  content: RuleContent,
  phase: string,
  catalogue: readonly LiveRulesetHead[],
): RuleContent {
  const parameters = content.action_parameters;
  if (parameters === undefined) {
    return content;
  }
  const name = (id: string, inPhase: string | undefined): string => {
    const visible = catalogue.filter((head) => inPhase === undefined || head.phase === inPhase);
    const head = visible.find((one) => one.id === id);
    if (head === undefined || (head.kind !== 'managed' && head.kind !== 'custom')) {
      return id;
    }
    const short = slug(head.name);
    const bearers = visible.filter((one) => one.kind === head.kind && slug(one.name) === short);
    return short === '' || bearers.length > 1 ? id : `${head.kind}:${short}`;
  };
  if (content.action === 'execute') {
    return { ...content, action_parameters: resolveExecute(parameters, (id) => name(id, phase)) };
  }
  return content.action === 'skip'
    ? { ...content, action_parameters: resolveSkip(parameters, (id) => name(id, undefined)) }
    : content;
}
