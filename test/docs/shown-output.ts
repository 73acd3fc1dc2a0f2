/** The outputs that a page may show in this way: a line `…` stands for any number of lines. */
export function shownAs(shown: string): RegExp {
  const parts = shown.split(/^…\n/mu).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`));
  return new RegExp(`^${parts.join(String.raw`(?:.*\n)+`)}$`, 'u');
}
