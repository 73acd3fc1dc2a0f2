/** A number with its noun: `1 rule`, `2 rules`, `3 entries`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
