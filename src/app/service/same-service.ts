import { RulewrightError } from '../../model/index.ts';
import type { Plan } from '../../model/index.ts';
import { shellWord } from '../../text/index.ts';

/** Throws `apply/other-service` for a plan made for another service, on which its ids and versions mean nothing. */
export function requireSameService(plan: Plan, identity: string): void {
  if (plan.baseUrl !== identity) {
    throw new RulewrightError(`the plan was made for ${plan.baseUrl}, this run talks to ${identity}`, {
      code: 'apply/other-service',
      fault: 'user',
      hint: `${hintFor(plan.baseUrl, identity)}, or plan again against this service`,
    });
  }
}

function hintFor(planned: string, identity: string): string {
  if (planned === 'emulator') {
    return 'add --emulator';
  }
  return identity === 'emulator' ? 'leave out --emulator' : `give --base-url ${shellWord(planned)}`;
}
