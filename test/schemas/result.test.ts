import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outcome, StepPreflight } from '../../src/model/outcome.ts';
import { checkedPlanJson, errorJson, outcomesJson } from '../../src/report/json-documents.ts';
import { rulewright } from '../cli/in-process.ts';
import { copyExample } from '../copy-project.ts';
import { add, cause, plan, scope, update } from '../report/plan-builder.ts';

const ROOT = join(import.meta.dirname, '..', '..');

async function schema(name: string): Promise<object> {
  return JSON.parse(await readFile(join(ROOT, 'schemas', `${name}.schema.json`), 'utf8')) as object;
}

const ajv = new Ajv({
  allErrors: true,
  discriminator: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
});
ajv.addSchema(await schema('plan'), 'plan.schema.json');
const validate = ajv.compile(await schema('result'));

function problems(value: unknown): typeof validate.errors {
  validate(value);
  return validate.errors ?? null;
}

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rulewright-result-'));
  await copyExample('first', cwd);
});
afterEach(() => rm(cwd, { recursive: true }));

describe('the JSON documents of commands', () => {
  it('match the schema', async () => {
    for (const [kind, ...argv] of [
      ['validation', 'validate'],
      ['checked-plan', 'plan', '--emulator', '--preflight'],
      ['drift', 'drift', '--emulator'],
      ['error', 'apply', '--emulator'],
      ['outcomes', 'apply', '--emulator', '--yes', '--allow', 'all'],
      ['error', 'plan', '--emulator', '--target', 'nowhere.example'],
    ]) {
      const document: unknown = JSON.parse((await rulewright([...argv, '--format', 'json'], { cwd })).stdout);
      expect(document).toMatchObject({ kind });
      expect(problems(document)).toBeNull();
    }
    await writeFile(join(cwd, 'rulewright.yaml'), 'version: 2\n');
    const findings: unknown = JSON.parse(
      (await rulewright(['validate', '--format', 'json'], { cwd })).stdout,
    );
    expect(findings).toMatchObject({ kind: 'validation', valid: false });
    expect(problems(findings)).toBeNull();
  });
});

describe('the result schema', () => {
  const changed = plan(scope([update([add('a')])]));
  const name = { id: 'a'.repeat(32), ref: 'a' };
  const difference = {
    from: '1',
    to: '2',
    added: [name],
    removed: [],
    changed: [{ ...name, fields: [{ kind: 'removed', path: '/logging', before: true }] }],
    moved: [],
    complete: true,
  } as const;
  const outcomes: readonly Outcome[] = [
    { kind: 'done', step: 's', version: null, writes: 1, normalised: [{ rule: 'a', fields: [] }] },
    { kind: 'skipped', step: 's', reason: 'r' },
    { kind: 'refused', step: 's', code: 'apply/stale', message: 'm', writes: 0, difference },
    {
      kind: 'failed',
      step: 's',
      code: 'apply/stale',
      message: 'm',
      writes: 0,
      refusals: [{ message: 'm', rule: 'a', cause: cause(1) }],
    },
    {
      kind: 'conflict',
      step: 's',
      message: 'm',
      hint: 'h',
      writes: 1,
      others: [{ version: '3', lastUpdated: '', difference, lost: [name] }],
    },
    { kind: 'not-reached', step: 's', reason: 'r' },
  ];
  const steps: readonly StepPreflight[] = [
    { kind: 'passed', step: 's', unchecked: [{ reason: 'r' }] },
    { kind: 'not-checked', step: 's', code: 'depends', reason: 'r' },
    { kind: 'refused', step: 's', refusals: [{ message: 'm', code: 20_217 }], unchecked: [] },
    { kind: 'stale', step: 's', message: 'm', difference },
    { kind: 'failed', step: 's', code: 'apply/stale', message: 'm' },
    { kind: 'wrote', step: 's', message: 'm', hint: 'h' },
  ];

  it('describes every kind of outcome and of preflight step', () => {
    const document = outcomesJson(changed, {
      result: 'partial',
      dryRun: false,
      outcomes,
      preflight: { kind: 'done', steps },
      rollback: { result: 'partial', outcomes, notes: [] },
      refusals: [{ kind: 'deleted', effect: 'refuse', message: 'm' }],
      differences: [{ kind: 'different', place: 'p', rule: 'a', message: 'm', fields: [] }],
    });
    for (const value of [
      document,
      checkedPlanJson(changed, { kind: 'done', steps }),
      errorJson({ code: 'usage/invalid', message: 'm', hint: 'h' }),
    ]) {
      expect(problems(JSON.parse(JSON.stringify(value)))).toBeNull();
    }
  });

  it('refuses an unknown result, an incomplete outcome and an unknown kind', () => {
    const wrong = outcomesJson(changed, { result: 'done', dryRun: false, outcomes: [], refusals: [] });
    expect(problems({ ...wrong, result: 'fine' })).toHaveLength(1);
    expect(problems({ ...wrong, outcomes: [{ kind: 'done', step: 's' }] })).not.toBeNull();
    expect(problems({ kind: 'other' })).not.toBeNull();
  });
});
