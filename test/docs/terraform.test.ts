import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('docs/terraform.md names the folder that it imports into in each command', async () => {
  const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'terraform.md'), 'utf8');
  const commands = [...page.matchAll(/rulewright (?:import|plan|apply)\b[^`\n#]*/gu)].map(([text]) =>
    text.trim(),
  );
  expect(commands).toHaveLength(4);
  expect(commands.filter((one) => !/ (?:--out )?rules(?: |$)/u.test(one))).toEqual([]);
});
