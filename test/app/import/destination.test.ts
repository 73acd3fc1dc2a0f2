import { expect, it } from 'vitest';
import { projectText } from '../../../src/app/import/destination.ts';

it.each([
  [1, 10],
  [40, 10],
  [41, 11],
  [300, 75],
])('lets a run change, of %i scopes of a new project, at most %i', (scopes, most) => {
  expect(projectText(['zones/*.yaml'], { scopes, accounts: [] })).toContain(`\n  max_scopes: ${most}\n`);
});
