import { expect, it } from 'vitest';
import { issueTitle } from '../../src/forge/message.ts';

it('names the project in the title of an issue, on one line and within 255 characters', () => {
  expect(issueTitle('Drift', '')).toBe('Drift');
  expect(issueTitle('Drift', 'a\nb')).toBe('Drift (a\\nb)');
  const longest = issueTitle('Drift', '🐦'.repeat(247));
  expect([Array.from(longest).length, longest.endsWith('🐦)')]).toEqual([255, true]);
  const cut = issueTitle('Drift', '🐦'.repeat(5_000));
  expect([Array.from(cut).length, cut.endsWith('🐦…')]).toEqual([255, true]);
});
