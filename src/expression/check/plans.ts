import type { Span } from '../language/ast.ts';
import { FIELDS, FUNCTIONS } from '../language/catalogue.ts';
import type { PlanNeed } from '../language/catalogue.ts';
import type { Report } from './finding.ts';
import type { CheckContext, Subject } from './subject.ts';

const LEVELS: readonly string[] = ['free', 'pro', 'business', 'enterprise'];
const NAMES: Readonly<Record<PlanNeed, string>> = {
  pro: 'the Pro plan or above',
  business: 'the Business plan or above',
  enterprise: 'the Enterprise plan',
  'add-on': 'the Enterprise plan with an add-on',
};

/** A field or function that the plan does not have. */
interface Lacking {
  /** The name as messages write it. */
  readonly name: string;
  readonly span: Span;
  readonly needs: string;
}

/** Returns the fields and functions of an expression that the plan does not have. */
export function lackingNames(
  { fields, calls }: Pick<Subject, 'fields' | 'calls'>,
  plan: NonNullable<CheckContext['plan']>,
): readonly Lacking[] {
  return [
    ...fields.map(({ name, span }) => ({ name, span, need: FIELDS.get(name)?.plan })),
    ...calls.map(({ name, span }) => ({ name: `${name}()`, span, need: FUNCTIONS.get(name)?.plan })),
  ].flatMap(({ name, span, need }) => (lacks(plan, need) ? [{ name, span, needs: NAMES[need] }] : []));
}

/** Reports what the plan does not have: fields, functions, regular expressions (`rules-language.md` 4). */
export function checkPlans(subject: Subject, report: Report): void {
  const { plan } = subject.context;
  if (plan === undefined) {
    return;
  }
  for (const { name, span, needs } of lackingNames(subject, plan)) {
    report('expression/plan', { message: `${name} needs ${needs}`, span });
  }
  for (const { operator, token } of subject.comparisons) {
    if (operator === 'matches' && lacks(plan, 'business')) {
      const message = `${token.text} needs ${NAMES.business}, or WAF Advanced`;
      report('expression/plan', { message, span: token.span });
    }
  }
}

function lacks(plan: string, need: PlanNeed | undefined): need is PlanNeed {
  return need !== undefined && LEVELS.indexOf(plan) < LEVELS.indexOf(need === 'add-on' ? 'enterprise' : need);
}
