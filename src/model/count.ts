/** A number with its noun: `1 rule`, `2 rules`, `3 entries`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Joins counts with their words, leaving out zero counts: `3 done, 1 failed`. */
export function countsText(counts: readonly (readonly [count: number, words: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ');
}
