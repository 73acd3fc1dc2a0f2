/** Marks a branch that the types exclude; reaching it is a bug. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected case: ${JSON.stringify(value)}`);
}
