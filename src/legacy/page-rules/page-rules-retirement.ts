import { jsonEqual } from '../../data/index.ts';
import { excludes, parseExpression } from '../../expression/index.ts';
import type { LiveRule, LiveRuleset, Scope } from '../../model/index.ts';
import type { RetirementCandidate, RetirementResult, RetiringPhases } from '../retirement-plan.ts';
import { retirementPlan } from '../retirement-plan.ts';
import { whyNotLive } from '../same-effect.ts';
import type { PageRule } from './page-rule.ts';
import { pageRuleName } from './page-rule.ts';
import { mayMeet, readPattern } from './page-pattern.ts';
import { PAGE_RULE_PHASES } from './page-rule-settings.ts';
import { URL_REWRITES, convertPageRules } from './page-rules-conversion.ts';
import type {
  ConvertedPagePhase,
  ConvertedPageRule,
  PageRulesConversion,
  PageRulesInput,
} from './page-rules-conversion.ts';

/** What is read of a zone whose page rules are to be deleted. */
export interface PageRuleRetirementInput extends RetiringPhases {
  readonly scope: Scope;
  readonly input: PageRulesInput;
  readonly entrypoints: ReadonlyMap<string, LiveRuleset | null>;
}

/**
 * Plans the deletion of the page rules that rules have taken over from entirely: live, the same, and in their places. The one with the lowest
 * priority goes first, so that no page rule ever acts that did not before; and one stays as long as another behind it stays that would then act.
 */
export function planPageRuleRetirement(all: PageRuleRetirementInput): RetirementResult {
  const conversion = convertPageRules(all.input);
  return {
    kind: 'planned',
    plan: retirementPlan({
      ...all,
      entrypoints: new Map(
        [...all.entrypoints].filter(
          ([phase]) =>
            conversion.kind === 'converted' && conversion.phases.some((one) => one.phase === phase),
        ),
      ),
      candidates: conversion.kind === 'nothing' ? [] : candidatesOf(conversion, all.input),
      differences: [],
    }),
  };
}

function candidatesOf(
  conversion: PageRulesConversion,
  input: PageRulesInput,
): readonly RetirementCandidate[] {
  const misplaced = new Map(
    conversion.phases.flatMap((phase) => misplacedIn(phase, input.live(phase.phase))),
  );
  const notLive = new Map(
    conversion.rules.map((rule) => [rule.old, whyNotReplaced(rule, input, misplaced)] as const),
  );
  const isRewritten = input.live(URL_REWRITES).some(({ content }) => content.enabled);
  const candidates: RetirementCandidate[] = [];
  const staying: PageRule[] = [];
  for (const [behind, rule] of conversion.rules.toReversed().entries()) {
    const { old } = rule;
    const earlier = conversion.rules.slice(0, conversion.rules.length - 1 - behind);
    const stay =
      whyLost(rule) ??
      notLive.get(old) ??
      whyUnsure(
        rule,
        earlier.filter((one) => one.kind === 'converted' && (notLive.get(one.old) ?? null) !== null),
      ) ??
      whyExposed(old, staying, isRewritten);
    if (stay !== null && old.active) {
      staying.push(old);
    }
    candidates.push({
      target: { kind: 'page_rule', id: old.id },
      name: `${pageRuleName(old)}${rule.kind === 'idle' ? ' (never acts)' : ''}`,
      reason: stay?.reason ?? null,
      next: stay?.next,
      replacedBy: rule.kind === 'converted' ? (rule.rules[0]?.ref ?? null) : null,
      before: old,
    });
  }
  return candidates;
}

/** Why a page rule stays, and what leads on. */
interface Stay {
  readonly reason: string;
  readonly next: string;
}

const APPLY_FIRST = 'apply the file of pagerules convert, then run this again';

function whyLost(rule: ConvertedPageRule): Stay | null {
  switch (rule.kind) {
    case 'idle':
      return null;
    case 'left':
      return {
        reason: rule.reason,
        next: 'write rules for it by hand, delete it in the dashboard, then run this again',
      };
    default: {
      const [first, ...others] = rule.lost;
      if (first === undefined) {
        return null;
      }
      const names = [first, ...others].map(({ action }) => action).join(', ');
      const isAll = rule.rules.length === 0;
      return {
        reason: `no rule takes over its ${names}: ${first.reason}`,
        next: `if you can do without ${isAll ? 'it, delete it' : `${names}, take that out of it`} in the dashboard, then run this again`,
      };
    }
  }
}

function whyNotReplaced(
  rule: ConvertedPageRule,
  input: PageRulesInput,
  misplaced: ReadonlyMap<string, string>,
): Stay | null {
  if (rule.kind !== 'converted') {
    return null;
  }
  const reasons = rule.rules.map(
    ({ phase, ref, content }) =>
      whyNotLive(input.live(phase), ref, [content]) ?? misplaced.get(`${phase} ${ref}`) ?? null,
  );
  const reason = reasons.find((one) => one !== null);
  return reason === undefined ? null : { reason, next: APPLY_FIRST };
}

/** Why the rules of a page rule may act beyond it: they count on those of an earlier one, which are not live. */
function whyUnsure({ kind, old }: ConvertedPageRule, earlier: readonly ConvertedPageRule[]): Stay | null {
  const met = kind === 'idle' ? undefined : earlier.find((one) => one.old.active && meet(old, one.old));
  return met === undefined
    ? null
    : {
        reason: `“${pageRuleName(met.old)}” comes first on some of its URLs, and the rules that take over from that one are not all live`,
        next: APPLY_FIRST,
      };
}

/**
 * Why a page rule has to stay as long as one behind it does, which would act in its place. One that forwards need not: its redirect ends the request
 * before page rules are asked, unless rules rewrite other URLs to those that it matches.
 */
function whyExposed(old: PageRule, staying: readonly PageRule[], isRewritten: boolean): Stay | null {
  const isForwarding = !isRewritten && old.actions.some(({ id }) => id === 'forwarding_url');
  const next = old.active && !isForwarding ? staying.find((other) => meet(old, other)) : undefined;
  return next === undefined
    ? null
    : {
        reason: `“${pageRuleName(next)}” stays, and would act on some of its URLs without it`,
        next: 'it goes once that one is gone',
      };
}

function meet(one: PageRule, other: PageRule): boolean {
  const [pattern, another] = [readPattern(one.urls[0] ?? ''), readPattern(other.urls[0] ?? '')];
  return pattern.kind === 'unread' || another.kind === 'unread' || mayMeet(pattern.pattern, another.pattern);
}

/** Returns why the order of live rules lets converted ones do something else, by phase and `ref`. */
function misplacedIn(
  { phase, made, place }: ConvertedPagePhase,
  live: readonly LiveRule[],
): readonly (readonly [key: string, reason: string])[] {
  const refs = made.map(({ ref }) => ref);
  const ours = live.filter(({ ref }) => refs.includes(ref));
  const wanted = refs.filter((ref) => ours.some((rule) => rule.ref === ref));
  if (
    !jsonEqual(
      ours.map(({ ref }) => ref),
      wanted,
    )
  ) {
    return wanted.map((ref) => [`${phase} ${ref}`, `the live rules of ${phase} are in another order`]);
  }
  return ours.flatMap((rule) => {
    const at = live.indexOf(rule);
    // Rules have precedence over page rules: an existing redirect comes first, and an existing setting last.
    const other = (place === 'first' ? live.slice(0, at) : live.slice(at + 1)).find(
      (one) => !refs.includes(one.ref) && one.content.enabled && interferes(phase, one, rule),
    );
    return other === undefined
      ? []
      : [
          [
            `${phase} ${rule.ref}`,
            `the live rule ${rule.ref} has to stand ${place === 'first' ? 'before' : 'behind'} ${other.ref}, which has precedence over page rules`,
          ] as const,
        ];
  });
}

function interferes(phase: string, one: LiveRule, other: LiveRule): boolean {
  const names = Object.keys(one.content.action_parameters ?? {});
  const shares =
    phase === PAGE_RULE_PHASES.redirect ||
    Object.keys(other.content.action_parameters ?? {}).some((name) => names.includes(name));
  const [left, right] = [parseExpression(one.content.expression), parseExpression(other.content.expression)];
  return shares && !(left.ok && right.ok && excludes(left.tree, right.tree));
}
