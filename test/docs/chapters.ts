/** The YAML examples of a page by the headings of their chapters, each with the path that its first line names. */
export function chaptersOf(page: string): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  return page.split(/^##+ /mu).flatMap((chapter) => {
    const blocks = [...chapter.matchAll(/^```yaml\n# (\S+)\n(.*?)^```$/gmsu)];
    const files = Object.fromEntries(blocks.map(([, path = '', text = '']) => [path, text]));
    return blocks.length === 0 ? [] : [[chapter.split('\n')[0] ?? '', files] as const];
  });
}
