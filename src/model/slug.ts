/**
 * The slug of a ruleset's name, as `managed:` and `custom:` use it: lower case, every run of other
 * characters than letters and digits becomes one `-`, none at the ends.
 */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
