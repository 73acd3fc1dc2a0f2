/** A function for each member of a type; leaving one out does not compile. */
export type Members<T> = {
  readonly [Key in keyof T]-?: (member: NonNullable<T[Key]>) => NonNullable<T[Key]>;
};

/**
 * Applies the functions to the members of a value, in their order; returns the value itself when nothing changes. Absent and null members stay
 * so.
 */
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

/** Returns a function that maps each item of a list, and returns the list itself when nothing changes. */
export function eachOf<T>(change: (item: T) => T): (items: readonly T[]) => readonly T[] {
  return (items) => {
    const changed = items.map(change);
    return changed.every((item, index) => item === items[index]) ? items : changed;
  };
}

/** The function for members that tell nothing about live. */
export function keep<T>(member: T): T {
  return member;
}
