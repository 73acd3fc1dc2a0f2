/** A name as messages have it: in quotes when it has blanks, as descriptions do. */
export function quoted(name: string): string {
  return /\s/u.test(name) ? JSON.stringify(name) : name;
}
