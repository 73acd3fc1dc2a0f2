import { expect, it } from 'vitest';
import { isInside } from '../../src/files/real-path.ts';

it.each([
  ['/project', true],
  ['/project/zones/a.yaml', true],
  ['/project/..a.yaml', true],
  ['/project/../project/a.yaml', true],
  ['/', false],
  ['/project-b/a.yaml', false],
  ['/project/../a.yaml', false],
  ['/other/project/a.yaml', false],
])('%s is in the folder /project: %s', (path, inside) => {
  expect(isInside('/project', path)).toBe(inside);
});
