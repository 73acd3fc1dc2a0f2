/** A number with its noun: `1 rule`, `2,000 rules`, `3 entries`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** A number with a comma between thousands. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/gu, ',');
}

/** Joins counts with their words, leaving out zero counts: `3 done, 1 failed`. */
export function countsText(counts: readonly (readonly [count: number, words: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${grouped(count)} ${words}`)
    .join(', ');
}

/** Quotes a name for messages if it has white space, as descriptions do. */
export function quoted(name: string): string {
  return /\s/u.test(name) ? JSON.stringify(name) : name;
}

/** Joins the first names of a list and the number of further ones: `a, b, c and 97 more`. */
export function someNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
}

/** Returns the first `most` characters of a longer text, with an ellipsis; it never cuts a character in two. */
export function shortened(text: string, most: number): string {
  // Each character has at most two UTF-16 units.
  const characters = text.length > most ? Array.from(text.slice(0, 2 * most + 1)) : [];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}

/** Spells out the line breaks of a name or a value, so that it cannot begin a line of a message. Renderings escape everything else. */
export function oneLine(text: string): string {
  return text.replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`);
}

/** Quotes a word for a POSIX shell if necessary. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Returns the slug of a ruleset's name for `managed:` and `custom:`: lower case, with every run of characters other than letters and digits
 * replaced by one `-`, and none at the ends.
 */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Compares texts by code units, which gives the same order on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Returns a time in seconds in the largest unit that divides it: `1 hour`. */
export function duration(seconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => seconds >= unit && seconds % unit === 0) ?? ['second', 1];
  return counted(seconds / length, name);
}

/** Reads a time such as `10m`, in seconds: a whole number and `s`, `m`, `h` or `d`. NaN for any other text. */
export function secondsOf(text: string): number {
  const [, count, letter] = /^([0-9]+)([smhd])$/u.exec(text) ?? [];
  const [, length] = [...UNITS, ['second', 1] as const].find(([name]) => name[0] === letter) ?? ['', NaN];
  return Number(count) * length;
}
