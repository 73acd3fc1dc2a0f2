/** An action parameter that no longer has an effect, or will not. */
export interface DeprecatedParameter {
  readonly action: string;
  readonly parameter: string;
  /** The values concerned; absent when every value is. */
  readonly values?: readonly string[];
  /** Id of the row in the deprecation registry; null when the parameter was retired without one. */
  readonly deprecation: string | null;
  readonly hint: string;
}

/** Rule parameters that the deprecation registry or the parameter schema calls retired (api.md 5.10, 12.1). */
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
