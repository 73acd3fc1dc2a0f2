import { FIELDS, FUNCTIONS } from '../catalogue.ts';
import type { PlanNeed } from '../catalogue.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';

const LEVELS: readonly string[] = ['free', 'pro', 'business', 'enterprise'];
const NAMES: Readonly<Record<PlanNeed, string>> = {
  pro: 'the Pro plan or above',
  business: 'the Business plan or above',
  enterprise: 'the Enterprise plan',
  'add-on': 'the Enterprise plan with an add-on',
};

/** What the plan does not have: fields, functions, regular expressions, counting expressions (`rules-language.md` 4). */
export function checkPlans({ fields, calls, comparisons, context }: Subject, report: Report): void {
  const { plan } = context;
  if (plan === undefined) {
    return;
  }
  const lacks = (need: PlanNeed | undefined): need is PlanNeed =>
    need !== undefined && LEVELS.indexOf(plan) < LEVELS.indexOf(need === 'add-on' ? 'enterprise' : need);
  for (const { name, span } of fields) {
    const need = FIELDS.get(name)?.plan;
    if (lacks(need)) {
      report('expression/plan', { message: `${name} needs ${NAMES[need]}`, span });
    }
  }
  for (const { name, span } of calls) {
    const need = FUNCTIONS.get(name)?.plan;
    if (lacks(need)) {
      report('expression/plan', { message: `${name}() needs ${NAMES[need]}`, span });
    }
  }
  for (const { operator, token } of comparisons) {
    if (operator === 'matches' && lacks('business')) {
      const message = `${token.text} needs ${NAMES.business}, or WAF Advanced`;
      report('expression/plan', { message, span: token.span });
    }
  }
}
