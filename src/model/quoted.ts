/** Quotes a name for messages if it has white space, as descriptions do. */
export function quoted(name: string): string {
  return /\s/u.test(name) ? JSON.stringify(name) : name;
}
