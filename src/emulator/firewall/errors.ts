import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';

// The refusals of the old firewall interfaces. Codes are given where they are public (api.md 1.5, 9.1, 9.2); the texts
// of the others are assumed.

const UPGRADE = 'https://developers.cloudflare.com/waf/reference/legacy/firewall-rules-upgrade/';

/** Any write while the interface only reads (api.md 1.5). */
export function maintenanceMode(): Refusal {
  const message = `firewallrules.api.maintenance_mode. This API is in maintenance mode and no longer accepts modifications. Please migrate to the new Firewall Rules API at ${UPGRADE}`;
  return refuse(400, serviceError(message, 10020));
}

/** Any call after the end of an interface (api.md 13.4; text assumed). */
export function interfaceGone(): Refusal {
  return refuse(
    410,
    serviceError('This endpoint has been deprecated and removed. Please use the Rulesets API instead.'),
  );
}

/** No such rule in this zone. */
export function firewallRuleNotFound(id: string): Refusal {
  return refuse(404, serviceError(`could not find firewall rule with ID ${id}`));
}

/** No such filter in this zone: 404 in a path, 400 in a body. */
export function filterNotFound(id: string, pointer?: string): Refusal {
  return refuse(
    pointer === undefined ? 404 : 400,
    serviceError(`could not find filter with ID ${id}`, undefined, pointer),
  );
}

/** A rule of a batch that does not exist. */
export function unknownInBatch(what: string, id: string, pointer: string): Refusal {
  return refuse(400, serviceError(`could not find ${what} with ID ${id}`, undefined, pointer));
}

/** An expression that another filter has already (api.md 9.2). */
export function duplicateFilter(): Refusal {
  return refuse(400, serviceError('config duplicates an already existing config', 10102));
}

/** The filter of a rule to be made has the expression of an existing one (api.md 9.1). */
export function filterExists(index: number): Refusal {
  return refuse(400, serviceError(`filter at index ${index} already exists`, 10202));
}

/** Deleting a filter that something refers to (api.md 9.2). */
export function filterInUse(id: string, user: string): Refusal {
  return refuse(400, serviceError(`filter ${id} cannot be deleted because it is used by ${user}`));
}

/** Changing or deleting a filter that was made together with a rule (specification 4.2 rule 4). */
export function filterOfRule(id: string, verb: 'changed' | 'deleted'): Refusal {
  const message = `filter ${id} was created together with a firewall rule and cannot be ${verb}`;
  return refuse(400, serviceError(message));
}

/** More rules than the plan has (specification 4.2 rule 3; the code is that of the Rulesets interface: assumed). */
export function tooManyFirewallRules(count: number, max: number): Refusal {
  const message = `exceeded the maximum number of firewall rules: ${count} out of ${max}`;
  return refuse(400, serviceError(message, QUOTA));
}

/** Whether a refusal is about the number of rules, in either world. */
export function isQuota(refusal: Refusal): boolean {
  return refusal.errors.some(({ code }) => code === QUOTA);
}

const QUOTA = 50001;

/** An identifier in the query that is none, such as several in one. */
export function invalidFieldValue(value: string): Refusal {
  return refuse(400, serviceError(`invalid field value: ${value}`));
}

/** More or fewer entries than a batch takes (api.md 9.1). */
export function batchSize(count: number, max: number): Refusal {
  return refuse(400, serviceError(`a batch holds 1 to ${max} entries, this one has ${count}`));
}

/** Two entries of a batch that name the same object. */
export function namedTwice(id: string, pointer: string): Refusal {
  return refuse(
    400,
    serviceError(`'${id}' is not a valid value for id because it is already used`, undefined, pointer),
  );
}
