import { expect, it } from 'vitest';
import { narrow } from '../../../src/app/project/narrow-targets.ts';
import { parseTarget } from '../../../src/app/project/selection.ts';
import type { DesiredScope } from '../../../src/model/state.ts';
import { desiredRuleset } from '../../plan/build.ts';

const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];

function zone(name: string): DesiredScope {
  const address = { kind: 'entrypoint', phase: 'http_ratelimit' } as const;
  return {
    scope: { kind: 'zone', name },
    rulesets: [desiredRuleset([], { address })],
    rulesetOwnership: 'declared',
    cause: { file: 'zones.yaml', line: 1, column: 1 },
  };
}

function targeting(text: string, ...names: readonly string[]): unknown {
  const target = parseTarget(text);
  try {
    return narrow(names.map(zone), target === null ? [] : [target]).map(({ scope }) => scope.name);
  } catch (error) {
    return error;
  }
}

it('narrow refuses a ruleset target that fits zones of two accounts, and prefers a zone with exactly the name', () => {
  for (const kind of ['', 'zone:']) {
    expect(
      targeting(`${kind}one.example/http_ratelimit`, 'two.example', `one.example@${A}`, `one.example@${B}`),
    ).toMatchObject({
      message: `${kind}one.example/http_ratelimit names 2 zones of the files`,
      hint: `name the one that is meant with its account: zone:one.example@${A}/http_ratelimit, zone:one.example@${B}/http_ratelimit`,
    });
  }
  expect(targeting('one.example', 'one.example', `one.example@${B}`)).toEqual(['one.example']);
  expect(targeting(`one.example@${B}`, `one.example@${A}`, `one.example@${B}`)).toEqual([`one.example@${B}`]);
});

it('narrow suggests the zone with its account when the target lacks the account', () => {
  expect(targeting('one.example', 'two.example', `one.example@${A}`)).toMatchObject({
    message: 'the files have no one.example',
    hint: expect.stringContaining(`the nearest are zone:one.example@${A}, `),
  });
  expect(targeting('account:one.example', `one.example@${A}`, `one.example@${B}`)).toMatchObject({
    message: 'the files have no account:one.example',
  });
});

it('narrow accepts a zone without rulesets as a whole, and not for a phase', () => {
  const empty = { ...zone('one.example'), rulesets: [] };
  const target = (text: string) => [parseTarget(text)].filter((one) => one !== null);
  expect(narrow([empty, zone('two.example')], target('one.example'))).toEqual([empty]);
  expect(() => narrow([empty], target('one.example/http_ratelimit'))).toThrow(
    'the files have no one.example',
  );
});
