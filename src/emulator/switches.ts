/** Behaviour of the service that differs between its ages or that is not known for certain; each has a default. */
export interface Switches {
  /** `ignored`: an older service that does not know `dry_run` and writes (default `honoured`). */
  readonly dryRun: 'honoured' | 'ignored';
  /** `latest`: execute parameters come back with `version: "latest"`, an older habit (default `absent`; api.md 0.3 number 22). */
  readonly executeVersion: 'absent' | 'latest';
  /** How query string lists of cache keys come back: `plain` as recorded, `schema` as documented (api.md 5.11). */
  readonly queryStrings: 'plain' | 'schema';
  /** Whether a ruleset without rules shows `rules: []` (default `absent`; api.md 0.3 number 14). */
  readonly emptyRules: 'absent' | 'list';
  /** `any`: overrides and skip rules may name managed rules that the seed does not know (default `known`). */
  readonly managedRules: 'known' | 'any';
  /** `any`: account rules of the firewall phases need not name Enterprise zones (default `required`; api.md 4.4). */
  readonly accountExpressions: 'required' | 'any';
}

/** The switches of today's service. */
export const defaultSwitches: Switches = {
  dryRun: 'honoured',
  executeVersion: 'absent',
  queryStrings: 'plain',
  emptyRules: 'absent',
  managedRules: 'known',
  accountExpressions: 'required',
};

/** The words that each switch takes, for those who set them from outside. */
export const switchWords: { readonly [Name in keyof Switches]: readonly Switches[Name][] } = {
  dryRun: ['honoured', 'ignored'],
  executeVersion: ['absent', 'latest'],
  queryStrings: ['plain', 'schema'],
  emptyRules: ['absent', 'list'],
  managedRules: ['known', 'any'],
  accountExpressions: ['required', 'any'],
};
