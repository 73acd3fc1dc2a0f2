/** Returns the first `most` characters of a longer text, with an ellipsis; it never cuts a character in two. */
export function shortened(text: string, most: number): string {
  // Each character has at most two UTF-16 units.
  const characters = text.length > most ? Array.from(text.slice(0, 2 * most + 1)) : [];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}
