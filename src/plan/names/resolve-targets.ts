import { mapReferences, splitReference } from '../../model/index.ts';
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
 * Replaces `managed:<slug>` and `custom:<slug>` in a rule by ids. An executed ruleset
 * has the phase of the rule that executes it (api.md 4.4); skip rules may name rulesets of any phase.
 */
export function resolveTargets(content: RuleContent, phase: string, index: TargetIndex): ResolvedContent {
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
  const resolved = mapReferences(content, {
    ruleset: (reference, by) => resolve(reference, by === 'execute' ? phase : undefined),
  });
  return { content: resolved, unresolved };
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
  return mapReferences(content, {
    ruleset: (id, by) => name(id, by === 'execute' ? phase : undefined),
  });
}
