import { expect, test } from 'vitest';

import { DEPRECATED_PARAMETERS } from '../../src/model/retired/deprecated-parameters.ts';
import { findDeprecation } from '../../src/model/retired/deprecations.ts';
import { KNOWN_ACTION_PARAMETERS } from '../../src/model/generated/known-fields.ts';
import { loadFiles } from './project-folder.ts';

async function findings(parameters: string): Promise<readonly (readonly [string, string])[]> {
  const text = `zone: shop.example
entrypoints:
  http_config_settings:
    rules:
      - ref: settings
        expression: ssl
        action: set_config
        action_parameters: ${parameters}
`;
  const { diagnostics } = await loadFiles({ 'zones/shop.yaml': text });
  expect(diagnostics.every(({ code }) => code === 'config/deprecated-parameter')).toBe(true);
  return diagnostics.map(({ severity, message, where }) => [
    `${severity} ${where?.start.line ?? 0}:${where?.start.column ?? 0}`,
    message,
  ]);
}

test('a retired parameter is a warning at its key, with the day and the reason', async () => {
  expect(await findings('{ ssl: strict, mirage: true }')).toEqual([
    [
      'warning 8:43',
      '`mirage` is retired (mirage, 2026-01-01): Setting removed; the mirage parameter of set_config removed from all rulesets endpoints.',
    ],
  ]);
});

test('a retired value is a warning, and other values of the parameter are not', async () => {
  expect(await findings('{ security_level: high }')).toMatchObject([
    ['warning 8:30', expect.stringContaining('`security_level: high` is retired')],
  ]);
  expect(await findings('{ security_level: under_attack }')).toEqual([]);
});

test('DEPRECATED_PARAMETERS names known action parameters and deprecations of the registry', () => {
  for (const { action, parameter, deprecation } of DEPRECATED_PARAMETERS) {
    expect(KNOWN_ACTION_PARAMETERS.get(action)).toContain(parameter);
    expect(deprecation === null || findDeprecation(deprecation) !== undefined).toBe(true);
  }
});
