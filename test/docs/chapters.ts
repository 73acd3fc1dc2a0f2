/** The example files of a page, by the heading of their chapter and the path that the first line of each block says. */
export function chaptersOf(page: string): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  return page.split(/^##+ /mu).flatMap((chapter) => {
    const blocks = [...chapter.matchAll(/^```yaml\n# (\S+)\n(.*?)^```$/gmsu)];
    const files = Object.fromEntries(blocks.map(([, path = '', text = '']) => [path, text]));
    return blocks.length === 0 ? [] : [[chapter.split('\n')[0] ?? '', files] as const];
  });
}
