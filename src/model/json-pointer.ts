/** The keys and indices that a JSON Pointer goes through (RFC 6901). */
export function pointerParts(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer of a member of the value that a pointer leads to. */
export function memberPointer(pointer: string, key: string): string {
  return `${pointer}/${/[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`;
}
