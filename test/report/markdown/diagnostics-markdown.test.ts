import { expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { diagnosticsMarkdown } from '../../../src/report/markdown/diagnostics-markdown.ts';

function found(severity: Diagnostic['severity'], file: string, message: string): Diagnostic {
  const where = { file, start: { line: 3, column: 1 }, end: { line: 3, column: 2 } };
  return { code: `a/${severity}`, severity, message, hint: 'so', where };
}

it('shows equal findings at many places once, with the first places', () => {
  const notes = Array.from({ length: 9 }, (_, index) => found('info', `zones/${index}.yaml`, 'the same'));
  expect(diagnosticsMarkdown({ valid: true, diagnostics: notes }, null)).toBe(
    `### Rulewright validate

**The files are valid.** 9 notes.

> [!NOTE]
> **Notes**
>
> - \`zones/0.yaml:3\` · the same (\`a/info\`)<br>so<br>8 more places alike: \`zones/1.yaml:3\`, \`zones/2.yaml:3\`, \`zones/3.yaml:3\`, \`zones/4.yaml:3\`, \`zones/5.yaml:3\` and 3 more
`,
  );
});

it('shows a part of very many errors of each file, and counts the rest', () => {
  const errors = Array.from({ length: 900 }, (_, index) =>
    found('error', `zones/${index % 2}.yaml`, `wrong${index}`),
  );
  const text = diagnosticsMarkdown({ valid: false, diagnostics: errors }, null);
  expect(text.match(/· wrong/gu)).toHaveLength(200);
  expect(text).toContain('\n> - `zones/0.yaml`: 350 errors\n> - `zones/1.yaml`: 350 errors\n');
});
