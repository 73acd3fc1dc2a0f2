/** Maps the headers of a response by lower-case name; of a header that was sent several times, the first value. */
export function headerMap(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const first = typeof value === 'object' ? value[0] : value;
    if (first !== undefined) {
      map.set(name.toLowerCase(), first);
    }
  }
  return map;
}
