/** A parameter of an action that does nothing any more, or will not. */
export interface DeprecatedParameter {
  readonly action: string;
  readonly parameter: string;
  /** Only these values; every value where absent. */
  readonly values?: readonly string[];
  /** Id of the registry's row; null where the parameter was retired without one. */
  readonly deprecation: string | null;
  readonly hint: string;
}

/** Parameters of rules that the registry, or the schema of parameters, calls retired (api.md 5.10, 12.1). */
export const DEPRECATED_PARAMETERS: readonly DeprecatedParameter[] = [
  config('mirage', 'mirage', 'take it out: the service refuses it in every ruleset'),
  config('autominify', 'minify', 'take it out: nothing is minified any more'),
  config('server_side_excludes', 'server-side-exclude', 'take it out'),
  {
    ...config('security_level', 'security-level', 'off and under_attack still do something'),
    values: ['essentially_off', 'low', 'medium', 'high'],
  },
  config('disable_railgun', null, 'take it out: Railgun is gone'),
  config('disable_apps', null, 'take it out: Apps are gone'),
  config('sxg', null, 'take it out: Signed Exchanges are gone'),
];

function config(parameter: string, deprecation: string | null, hint: string): DeprecatedParameter {
  return { action: 'set_config', parameter, deprecation, hint };
}
