/**
 * Returns the slug of a ruleset's name for `managed:` and `custom:`: lower case, with every run of characters other than letters and digits
 * replaced by one `-`, and none at the ends.
 */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
