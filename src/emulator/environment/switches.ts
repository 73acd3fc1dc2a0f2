/** Behaviour of the service that differs between its versions or is not known for certain, with the possible values. */
export const switchValues = {
  /** `ignored`: an older service, which does not know `dry_run` and writes anyway (default `honoured`). */
  dryRun: ['honoured', 'ignored'],
  /**
   * `latest`: execute parameters are returned with `version: "latest"`, as older versions did (default `absent`;
   * api.md 0.3 number 22).
   */
  executeVersion: ['absent', 'latest'],
  /** How query string lists of cache keys are returned: as `sent`, `plain` as recorded, `schema` as documented (api.md 5.11). */
  queryStrings: ['sent', 'plain', 'schema'],
  /** Whether a ruleset without rules shows `rules: []` (default `absent`; api.md 0.3 number 14). */
  emptyRules: ['absent', 'list'],
  /** `any`: overrides and skip rules may name managed rules that the seed does not know (default `known`). */
  managedRules: ['known', 'any'],
  /**
   * `any`: a newer service, where an action unknown to the emulator is accepted with any parameters, in every phase
   * (default `known`).
   */
  actions: ['known', 'any'],
  /** `any`: a newer service, where parameters unknown to the emulator are accepted with any value (default `known`). */
  parameters: ['known', 'any'],
  /** `any`: a newer service, which knows fields and functions that the emulator does not (default `known`). */
  expressionNames: ['known', 'any'],
  /** `any`: account rules of the firewall phases need not name Enterprise zones (default `required`; api.md 4.4). */
  accountExpressions: ['required', 'any'],
  /**
   * The state of the old firewall interfaces in zones that do not set it themselves (api.md 9): `open` (default);
   * `maintenance`: firewall rules and filters are read-only; `gone`: firewall rules, filters and old rate limits answer
   * 410.
   */
  oldInterfaces: ['open', 'maintenance', 'gone'],
  /**
   * Whether the filters of a refused creation are kept when only the rule quota was exceeded (default `kept`;
   * specification 4.2 rule 3).
   */
  filtersOverQuota: ['kept', 'undone'],
  /** How the deletion of one firewall rule or filter is answered: `list` as documented, `object` as in the schema (api.md 9.1). */
  singleDeletes: ['list', 'object'],
  /** How the deletion of an old rate limit is answered: with its `id` as in the schema, or `null` as recorded (api.md 9.6). */
  rateLimitDeletes: ['id', 'null'],
  /**
   * How long the last step of a WAF migration takes: no time, or two minutes of the service's clock (default
   * `immediate`; specification 3.1).
   */
  migrationTime: ['immediate', 'minutes'],
  /** `any`: expressions and redirects may name lists that the account does not have (default `known`; api.md 2.4). */
  lists: ['known', 'any'],
  /**
   * Whether changes of list items take one second of the service's clock, as documented, or happen at once (default
   * `timed`; api.md 9.8).
   */
  listOperations: ['timed', 'immediate'],
  /** `limited`: writes to one ruleset in quick succession are refused with 429 (default `unlimited`; api.md 1.7, numbers assumed). */
  rulesetWrites: ['unlimited', 'limited'],
  /** Which versions of the audit log the account has: `v1` only the older one, by page (default `v2`: both). */
  auditLog: ['v2', 'v1', 'none'],
  /** Whether an entry of the audit log appears at once, or after two minutes of the service's clock (default `none`; length assumed). */
  auditDelay: ['none', 'minutes'],
} as const;

/** A value for each switch. */
export type Switches = { readonly [Name in keyof typeof switchValues]: (typeof switchValues)[Name][number] };

/** The switches that match today's service. */
export const defaultSwitches: Switches = {
  dryRun: 'honoured',
  executeVersion: 'absent',
  queryStrings: 'sent',
  emptyRules: 'absent',
  managedRules: 'known',
  actions: 'known',
  parameters: 'known',
  expressionNames: 'known',
  accountExpressions: 'required',
  oldInterfaces: 'open',
  filtersOverQuota: 'kept',
  singleDeletes: 'list',
  rateLimitDeletes: 'id',
  migrationTime: 'immediate',
  lists: 'known',
  listOperations: 'timed',
  rulesetWrites: 'unlimited',
  auditLog: 'v2',
  auditDelay: 'none',
};

/** Returns what is wrong with wanted switches, if anything is. */
export function switchProblems(wish: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(wish).flatMap(([name, value]) => {
    const values = valuesOf(name);
    if (values === undefined) {
      return [`no switch is called ${name}; there are ${Object.keys(switchValues).join(', ')}`];
    }
    return values.some((each) => each === value) ? [] : [`${name} must be one of ${values.join(', ')}`];
  });
}

/** Returns switches that were given as texts or from JavaScript; throws what is wrong with them. */
export function checkedSwitches(wish: Readonly<Record<string, unknown>>): Partial<Switches> {
  if (!isPartOfSwitches(wish)) {
    throw new Error(switchProblems(wish).join('; '));
  }
  return wish;
}

/** Whether these are switches and values that they have. */
export function isPartOfSwitches(wish: Readonly<Record<string, unknown>>): wish is Partial<Switches> {
  return switchProblems(wish).length === 0;
}

function valuesOf(name: string): readonly string[] | undefined {
  return Object.entries(switchValues).find(([each]) => each === name)?.[1];
}
