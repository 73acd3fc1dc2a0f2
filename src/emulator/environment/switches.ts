/** Behaviour of the service that differs between its ages or that is not known for certain, with the values that each can have. */
export const switchValues = {
  /** `ignored`: an older service that does not know `dry_run` and writes (default `honoured`). */
  dryRun: ['honoured', 'ignored'],
  /** `latest`: execute parameters come back with `version: "latest"`, an older habit (default `absent`; api.md 0.3 number 22). */
  executeVersion: ['absent', 'latest'],
  /** How query string lists of cache keys come back: `plain` as recorded, `schema` as documented (api.md 5.11). */
  queryStrings: ['plain', 'schema'],
  /** Whether a ruleset without rules shows `rules: []` (default `absent`; api.md 0.3 number 14). */
  emptyRules: ['absent', 'list'],
  /** `any`: overrides and skip rules may name managed rules that the seed does not know (default `known`). */
  managedRules: ['known', 'any'],
  /** `any`: a newer service, where an action that is not known here takes any parameters, in every phase (default `known`). */
  actions: ['known', 'any'],
  /** `any`: account rules of the firewall phases need not name Enterprise zones (default `required`; api.md 4.4). */
  accountExpressions: ['required', 'any'],
  /**
   * The old firewall interfaces of zones that do not say it themselves (api.md 9): `open` (default); `maintenance`:
   * firewall rules and filters can only be read; `gone`: these and old rate limits answer 410.
   */
  oldInterfaces: ['open', 'maintenance', 'gone'],
  /** Whether filters of a refused creation stay when only the rule quota was exceeded (default `kept`; specification 4.2 rule 3). */
  filtersOverQuota: ['kept', 'undone'],
  /** How the deletion of one firewall rule or filter is answered: `list` as documented, `object` as in the schema (api.md 9.1). */
  singleDeletes: ['list', 'object'],
  /** How the deletion of an old rate limit is answered: with its `id` as in the schema, or `null` as recorded (api.md 9.6). */
  rateLimitDeletes: ['id', 'null'],
  /** How long the last step of a WAF migration takes: none, or two minutes of the clock (default `immediate`; specification 3.1). */
  migrationTime: ['immediate', 'minutes'],
  /** `any`: expressions and redirects may name lists that the account does not have (default `known`; api.md 2.4). */
  lists: ['known', 'any'],
  /** Whether changes of list items take a second of the clock, as documented, or happen at once (default `timed`; api.md 9.8). */
  listOperations: ['timed', 'immediate'],
  /** `limited`: writes to one ruleset in quick succession are refused with 429 (default `unlimited`; api.md 1.7, numbers assumed). */
  rulesetWrites: ['unlimited', 'limited'],
} as const;

/** A value for each of them. */
export type Switches = { readonly [Name in keyof typeof switchValues]: (typeof switchValues)[Name][number] };

/** The switches of today's service. */
export const defaultSwitches: Switches = {
  dryRun: 'honoured',
  executeVersion: 'absent',
  queryStrings: 'plain',
  emptyRules: 'absent',
  managedRules: 'known',
  actions: 'known',
  accountExpressions: 'required',
  oldInterfaces: 'open',
  filtersOverQuota: 'kept',
  singleDeletes: 'list',
  rateLimitDeletes: 'id',
  migrationTime: 'immediate',
  lists: 'known',
  listOperations: 'timed',
  rulesetWrites: 'unlimited',
};
