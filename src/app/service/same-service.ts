import { RulewrightError } from '../../model/error.ts';
import type { Plan } from '../../model/plan.ts';

/** A plan holds for the service it was made from; on another one its ids and versions mean nothing. */
export function requireSameService(plan: Plan, identity: string): void {
  if (plan.baseUrl !== identity) {
    throw new RulewrightError(`the plan was made for ${plan.baseUrl}, this run talks to ${identity}`, {
      code: 'apply/other-service',
      fault: 'user',
      hint: 'plan again against this service, or give the base URL of the plan',
    });
  }
}
