import { withCurrentNames } from '../../expression/current-names.ts';
import { jsonEqual, omit } from '../../model/json.ts';
import { isKnownAction } from '../../model/known-action.ts';
import { phaseFacts } from '../../model/phase.ts';
import { canonicalContent } from '../../model/normalise.ts';
import type { RuleContent } from '../../model/rule.ts';
import { bypassesCache, compareCaching, compareDestinations } from './delivery.ts';
import { compareHeaders } from './headers.ts';
import { compareExecutes } from './overrides.ts';
import { compareRatelimits } from './ratelimits.ts';
import { compareReach } from './reach.ts';
import { roleOf, strengthOf } from './role.ts';
import { compareSettings } from './settings.ts';
import { compareSkips } from './skips.ts';
import type { Verdict } from './verdict.ts';
import { SAME, stronger, together, weaker } from './verdict.ts';

/** What a new rule does to protection. A rule that is not enabled does nothing. */
export function judgeAdded(content: RuleContent): Verdict {
  return judgePresence(content, { does: 'adds', protecting: stronger, permitting: weaker });
}

/** What the end of a rule does to protection. */
export function judgeRemoved(content: RuleContent): Verdict {
  return judgePresence(content, { does: 'removes', protecting: weaker, permitting: stronger });
}

interface Presence {
  readonly does: 'adds' | 'removes';
  /** What that means of a rule that protects, and of one that lets something past. */
  readonly protecting: (reason: string) => Verdict;
  readonly permitting: (reason: string) => Verdict;
}

function judgePresence(content: RuleContent, { does, protecting, permitting }: Presence): Verdict {
  if (!content.enabled) {
    return SAME;
  }
  const { action } = content;
  switch (roleOf(content)) {
    case 'protects':
      return protecting(
        `${does} ${bypassesCache(content.action_parameters ?? {}) ? 'a cache bypass' : action}`,
      );
    case 'permits':
      return permitting(action === 'skip' ? `${does} a skip` : `${does} ${action} that lowers protection`);
    case 'both':
      return weaker(
        action === 'route'
          ? `${does} a route to another host`
          : `${does} ${action}, whose effect on protection is not known`,
      );
    default:
      return SAME;
  }
}

/** What another content of a rule of a phase does to protection. */
export function judgeChanged(old: RuleContent, now: RuleContent, phase: string): Verdict {
  const [before, after] = [current(old, phase), current(now, phase)];
  if (!before.enabled || !after.enabled) {
    return before.enabled ? switched('off', judgeRemoved(before)) : switched('on', judgeAdded(after));
  }
  if (before.action !== after.action) {
    return judgeOtherAction(before, after);
  }
  if (!isKnownAction(after.action)) {
    return compareUnknown(before, after);
  }
  const role = mostOf(before, after);
  return together([
    compareReach(before.expression, after.expression, role),
    compareParameters(before, after),
    compareRatelimits(before, after),
    jsonEqual(before.exposed_credential_check, after.exposed_credential_check)
      ? SAME
      : weaker('checks exposed credentials in another way'),
    jsonEqual(before.extra, after.extra) ? SAME : weaker('changes fields that this version does not know'),
  ]);
}

/** Of an action that this version does not know, nothing but the description is proven not to matter. */
function compareUnknown(before: RuleContent, after: RuleContent): Verdict {
  const rest = (content: RuleContent) => omit(canonicalContent(content), ['description', 'expression']);
  return together([
    compareReach(before.expression, after.expression, 'both'),
    jsonEqual(rest(before), rest(after)) ? SAME : weaker('changes parameters whose effect is not known'),
  ]);
}

/** A rule whose conditions name their fields as they are called now: another name alone changes nothing, in the phases that we know. */
function current(content: RuleContent, phase: string): RuleContent {
  if (phaseFacts(phase) === undefined) {
    return content;
  }
  const { expression, ratelimit } = content;
  const counting = ratelimit?.['counting_expression'];
  return {
    ...content,
    expression: withCurrentNames(expression, phase),
    ...(typeof counting === 'string'
      ? { ratelimit: { ...ratelimit, counting_expression: withCurrentNames(counting, phase) } }
      : {}),
  };
}

/** A rule that is switched on or off comes or goes, but stays in the list. */
function switched(to: 'on' | 'off', verdict: Verdict): Verdict {
  return verdict.kind === 'same' ? SAME : { ...verdict, reason: `is switched ${to}` };
}

/** Actions that stop requests are comparable with each other; else one rule goes and another comes. */
function judgeOtherAction(before: RuleContent, after: RuleContent): Verdict {
  const from = strengthOf(before.action);
  const to = strengthOf(after.action);
  return from === undefined || to === undefined
    ? together([judgeRemoved(before), judgeAdded(after)])
    : together([
        from === to ? SAME : (to > from ? stronger : weaker)(`goes from ${before.action} to ${after.action}`),
        compareReach(before.expression, after.expression, 'protects'),
        compareRatelimits(before, after),
      ]);
}

/** The role that both contents together have: parameters may turn a rule that protects into one that permits. */
function mostOf(before: RuleContent, after: RuleContent): ReturnType<typeof roleOf> {
  const roles = [roleOf(before), roleOf(after)] as const;
  if (roles[0] === roles[1] || roles[1] === 'none') {
    return roles[0];
  }
  return roles[0] === 'none' ? roles[1] : 'both';
}

/** What other parameters of a rule with the same action do to protection. */
export function compareParameters(before: RuleContent, after: RuleContent): Verdict {
  const old = before.action_parameters ?? {};
  const now = after.action_parameters ?? {};
  if (before.action === 'skip') {
    return compareSkips(before, after);
  }
  if (jsonEqual(old, now)) {
    return SAME;
  }
  switch (before.action) {
    case 'execute':
      return compareExecutes(old, now);
    case 'set_config':
      return compareSettings(old, now);
    case 'rewrite':
      return compareHeaders(old, now);
    case 'set_cache_settings':
      return compareCaching(old, now);
    case 'route':
      return compareDestinations(old, now);
    default:
      // How a block or an error looks, where a redirect goes: nothing that lets a request past protection.
      return roleOf(before) === 'both' ? weaker('changes parameters whose effect is not known') : SAME;
  }
}
