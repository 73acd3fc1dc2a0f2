import { customRulesetQuota, phaseFacts, planName, ruleQuota } from '../model/index.ts';
import type { ScopeKind } from '../model/index.ts';
import { counted } from '../text/index.ts';

/** The kind and the plan of a zone or account; `plan` as the service names it. */
interface LimitedScope {
  readonly kind: ScopeKind;
  readonly plan?: string | undefined;
}

/** Says that a zone or account would have more rules of a phase than its plan allows; undefined where they fit, or no limit is known. */
export function tooManyRules(phase: string, total: number, { kind, plan }: LimitedScope): string | undefined {
  const quota = ruleQuota(phase, kind, plan);
  if (quota === undefined || total <= quota.limit) {
    return undefined;
  }
  const { limit, extended } = quota;
  const more = extended === undefined ? '' : ` (${extended.limit} with ${extended.by})`;
  return `${whoAllows(plan, kind)} ${counted(limit, ruleOf(phase))}${more}; this ${kind} would have ${total}`;
}

/** As `tooManyRules`, for custom rulesets. */
export function tooManyRulesets(total: number, { kind, plan }: LimitedScope): string | undefined {
  const most = customRulesetQuota(kind, plan);
  return most === undefined || total <= most
    ? undefined
    : `${whoAllows(plan, kind)} ${counted(most, 'custom ruleset')}; this ${kind} would have ${total}`;
}

function whoAllows(plan: string | undefined, kind: ScopeKind): string {
  return plan === undefined || kind === 'account'
    ? 'the service allows'
    : `the ${planName(plan)} plan allows`;
}

/** Returns what a rule of a phase is called: `rate limiting rule`. */
function ruleOf(phase: string): string {
  const product = phaseFacts(phase)?.product;
  if (product === undefined) {
    return `rule of ${phase}`;
  }
  const one = product.endsWith('s') ? product.slice(0, -1) : `${product} rule`;
  return /^[A-Z][a-z]/u.test(one) ? `${one.charAt(0).toLowerCase()}${one.slice(1)}` : one;
}
