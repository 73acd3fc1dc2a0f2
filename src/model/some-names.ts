/** Joins the first names of a list and the number of further ones: `a, b, c and 97 more`. */
export function someNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
