import { scanFile } from '../../../src/legacy/deprecations/scan-file.ts';
import { signWords } from '../../../src/legacy/deprecations/deprecations-report.ts';

/** The uses in a text, as `line:column deprecation sign`. */
export function usesOf(text: string): readonly string[] {
  const scan = scanFile('file');
  for (const line of text.split('\n')) {
    scan.line(line);
  }
  return scan
    .end()
    .uses.map(
      ({ deprecation, sign, where }) =>
        `${where.start.line}:${where.start.column} ${deprecation} ${signWords(sign)}`,
    );
}
