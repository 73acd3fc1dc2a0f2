import { expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { diagnosticsMarkdown } from '../printed.ts';

function found(severity: Diagnostic['severity'], file: string, message: string): Diagnostic {
  const where = { file, start: { line: 3, column: 1 }, end: { line: 3, column: 2 } };
  return { code: `a/${severity}`, severity, message, hint: 'so', where };
}

it('shows equal findings at many places once, with the first places', () => {
  const notes = Array.from({ length: 9 }, (_, index) => found('info', `zones/${index}.yaml`, 'the same'));
  expect(diagnosticsMarkdown({ diagnostics: notes }, null)).toBe(
    `### Rulewright validate

**The files are valid.** 9 notes.

- ℹ️ \`zones/0.yaml:3:1\` info a/info<br>the same<br>hint: so<br>8 more places alike: \`zones/1.yaml:3:1\`, \`zones/2.yaml:3:1\`, \`zones/3.yaml:3:1\`, \`zones/4.yaml:3:1\`, \`zones/5.yaml:3:1\` and 3 more; --verbose shows each
`,
  );
});

it('shows a part of very many errors of each file, and counts the rest', () => {
  const errors = Array.from({ length: 900 }, (_, index) =>
    found('error', `zones/${index % 2}.yaml`, `wrong${index}`),
  );
  const text = diagnosticsMarkdown({ diagnostics: errors }, null);
  expect(text.match(/<br>wrong/gu)).toHaveLength(200);
  expect(text).toContain('\n- `zones/0.yaml`: 350 errors\n- `zones/1.yaml`: 350 errors\n');
});
