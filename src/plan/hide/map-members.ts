/** What becomes of each member of a value. One that the type has and the table has not does not compile. */
export type Members<T> = {
  readonly [Key in keyof T]-?: (member: NonNullable<T[Key]>) => NonNullable<T[Key]>;
};

/** The value with its members changed, in their order; itself where none is. Those that are absent or null stay so. */
export function mapMembers<T extends object>(value: T, members: Members<T>): T {
  let mapped = value;
  for (const key in members) {
    const member = value[key];
    if (member !== undefined && member !== null) {
      const changed = members[key](member);
      if (changed !== member) {
        mapped = mapped === value ? { ...value } : mapped;
        mapped[key] = changed;
      }
    }
  }
  return mapped;
}

/** The same of each item of a list. */
export function eachOf<T>(change: (item: T) => T): (items: readonly T[]) => readonly T[] {
  return (items) => {
    const changed = items.map(change);
    return changed.every((item, index) => item === items[index]) ? items : changed;
  };
}

/** For what says nothing of live. */
export function keep<T>(member: T): T {
  return member;
}
