import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';

// Refusals of the old WAF. Their codes are not public; statuses and texts are assumed.

/** The old WAF is not there: the zone has migrated or was born on the new managed rules (specification 3.1 rule 2, 7.4). */
export function oldWafStopped(): Refusal {
  return refuse(
    410,
    serviceError('the previous managed rules of this zone are gone: it uses the new managed rules'),
  );
}

/** No such package, group, rule or override. */
export function wafObjectNotFound(what: 'package' | 'group' | 'rule' | 'override', id: string): Refusal {
  return refuse(404, serviceError(`could not find WAF ${what} with ID ${id}`));
}

/** Only anomaly packages have settings (api.md 9.4). */
export function packageNotEditable(name: string): Refusal {
  return refuse(400, serviceError(`the package ${name} cannot be modified`));
}
