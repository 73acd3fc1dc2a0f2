import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../../src/data/json.ts';
import { loadFiles } from '../config/project-folder.ts';
import { CASES } from './agreement-cases.ts';
import { entryPoint, shop, startBench } from './bench.ts';
import type { Bench } from './bench.ts';

// The checks of files and the embedded service share no tables, so that a mistake in one of them shows as a disagreement.

interface Tried {
  readonly phase: string;
  readonly rule: JsonObject;
}

/** Whether the embedded service accepts a rule, and whether the files may declare it. */
async function verdicts(bench: Bench, { phase, rule }: Tried) {
  const { status } = await bench.call('PUT', `${entryPoint(shop, phase)}?dry_run=true`, { rules: [rule] });
  const file = stringify({ zone: 'shop.example', entrypoints: { [phase]: { rules: [rule] } } });
  const { diagnostics } = await loadFiles({ 'zones/a.yaml': file });
  return {
    service: status === 200 ? 'taken' : 'refused',
    files: diagnostics.some(({ severity }) => severity === 'error') ? 'refused' : 'taken',
  };
}

describe.each(CASES)('$action in $phase', ({ phase, action, more, taken, refused }) => {
  const rows = [
    ...taken.map((parameters) => ['taken', parameters] as const),
    ...refused.map((parameters) => ['refused', parameters] as const),
  ];

  test('accepts and refuses the same parameters in files and in the embedded service', async () => {
    const bench = await startBench();
    const found = await Promise.all(
      rows.map(async ([, action_parameters]) => ({
        parameters: action_parameters,
        ...(await verdicts(bench, {
          phase,
          rule: { ref: 'a', action, expression: 'true', action_parameters, ...more },
        })),
      })),
    );
    expect(found).toEqual(
      rows.map(([verdict, parameters]) => ({ parameters, service: verdict, files: verdict })),
    );
  });
});
