import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { executeRule, migration, OWASP, STATUS } from '../../emulator/migration-zone.ts';
import { startWafBench } from './waf-bench.ts';

const FINISH = 'finish old.example --confirm old.example';
const VALIDATE = 'validate old.example --yes';

const PUT = { method: 'PUT', path: '/zones/*/rulesets/phases/http_request_firewall_managed/entrypoint' };
/**
 * Requests for the state of the migration, by number: 1 for the configuration, 2 before the confirmation, 3 before the write, 4 for
 * the snapshot. An earlier validation adds five.
 */
const look = (...nth: readonly number[]) => ({ method: 'GET', path: STATUS, nth });
const refusal = (status: number) => ({ kind: 'error', status, errors: [{ code: 20_104, message: 'no' }] });
const cut = (moment: 'before' | 'after') => ({ kind: 'cut', moment });

/** Another client starts the validation, or sends it again, with its own rule. */
const othersValidate = {
  kind: 'edit',
  change: {
    kind: 'request',
    method: 'PUT',
    path: migration('validation'),
    body: { rules: [executeRule(OWASP)] },
  },
};
const afterOurs = { ...othersValidate, moment: 'after' };

interface Row {
  readonly words: string;
  /** Whether the test sends other rules for validation before. */
  readonly again?: true;
  readonly faults: unknown;
  readonly code: number;
  readonly outcome: Readonly<Record<string, unknown>>;
  /** The result of the write in the journal; null if nothing is sent. */
  readonly done: Readonly<Record<string, unknown>> | null;
}

const rows: Readonly<Record<string, Row>> = {
  'the state changed while somebody was asked': {
    words: FINISH,
    faults: { ...look(3), effect: othersValidate },
    code: 3,
    outcome: {
      kind: 'refused',
      code: 'waf/stale',
      message: 'the state was start and is validation now',
      hint: expect.stringContaining('Run rulewright waf status '),
    },
    done: null,
  },
  'the rules changed while somebody was asked': {
    words: FINISH,
    again: true,
    faults: { ...look(8), effect: othersValidate },
    code: 3,
    outcome: { kind: 'refused', code: 'waf/stale', message: expect.stringContaining('rules changed since') },
    done: null,
  },
  'the service refuses it': {
    words: FINISH,
    faults: { ...PUT, effect: refusal(400) },
    code: 1,
    outcome: { kind: 'failed', code: 'api/refused', message: expect.stringContaining('400 no (20104)') },
    done: { kind: 'failed', landed: false },
  },
  'the service refuses it, and somebody else has taken another step': {
    words: FINISH,
    faults: [
      { ...PUT, effect: othersValidate },
      { ...PUT, effect: refusal(400) },
    ],
    code: 1,
    outcome: { kind: 'failed', code: 'api/refused' },
    done: { kind: 'failed', landed: false },
  },
  'the service fails at it': {
    words: FINISH,
    faults: { ...PUT, effect: refusal(500) },
    code: 1,
    outcome: { kind: 'failed', code: 'api/server-error', hint: 'it did nothing: try again' },
    done: { kind: 'failed', landed: false },
  },
  'the service refuses it, and does not tell the state any more': {
    words: FINISH,
    faults: [
      { ...PUT, effect: refusal(400) },
      { ...look(5, 6), effect: refusal(403) },
    ],
    code: 1,
    outcome: {
      kind: 'failed',
      hint: expect.stringContaining('cannot be read either: run rulewright waf status'),
    },
    done: { kind: 'failed', landed: false },
  },
  'the answer is lost, and the state is not told any more': {
    words: FINISH,
    faults: [
      { ...PUT, effect: cut('before') },
      { ...look(5, 6), effect: refusal(403) },
    ],
    code: 4,
    outcome: {
      kind: 'in-doubt',
      hint: expect.stringContaining('cannot be read either: run rulewright waf status'),
    },
    done: { kind: 'failed', landed: false, inDoubt: true },
  },
  'validation is sent again, and arrives without an answer': {
    words: VALIDATE,
    again: true,
    faults: { ...PUT, nth: 2, effect: cut('after') },
    code: 0,
    outcome: { kind: 'done', message: 'both versions are on, the new managed rules first' },
    done: { kind: 'landed', version: null },
  },
  'validation is sent again, and may still come': {
    words: VALIDATE,
    again: true,
    faults: { ...PUT, nth: 2, effect: cut('before') },
    code: 4,
    outcome: { kind: 'in-doubt', hint: expect.stringContaining('the service may still take it') },
    done: { kind: 'failed', landed: false, inDoubt: true },
  },
  'the service answers with other rules': {
    words: FINISH,
    faults: { ...PUT, effect: { kind: 'unknown_fields', fields: { expression: 'ssl' } } },
    code: 4,
    outcome: {
      kind: 'wrong',
      code: 'waf/other-rules',
      message: expect.stringContaining('rule managed-ruleset differs in /expression'),
      hint: 'rulewright plan --target old.example/http_request_firewall_managed shows the difference',
    },
    done: { kind: 'landed', version: '1' },
  },
  'the answer is lost, and other rules are live': {
    words: VALIDATE,
    faults: [
      { ...PUT, effect: afterOurs },
      { ...PUT, effect: cut('after') },
    ],
    code: 4,
    outcome: { kind: 'wrong', message: expect.stringContaining('rule managed-ruleset is not there') },
    done: { kind: 'landed', version: null },
  },
};

/** The entries of the journal. */
async function journalOf(folder: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await readFile(join(folder, 'journal.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const entry: Readonly<Record<string, unknown>>[] = line === '' ? [] : [JSON.parse(line)];
    return entry;
  });
}

/** The entries that the journal has of a step before the answer comes. */
function begun(words: string, again: boolean): readonly Readonly<Record<string, unknown>>[] {
  const base = again ? { kind: 'version', version: '1' } : { kind: 'absent' };
  const step = {
    step: 'zone:old.example/http_request_firewall_managed',
    scope: { name: 'old.example' },
    target: { kind: 'ruleset', level: 'zone', phase: 'http_request_firewall_managed', name: 'default' },
    base,
    writes: 1,
  };
  const write = { waf_migration: words === VALIDATE ? 'validation' : 'pending' };
  return [
    { kind: 'run', purpose: 'waf', steps: [step] },
    { kind: 'intent', step: step.step, write, base },
  ];
}

test.each(Object.entries(rows))(
  '%s: the step reports it and journals it, and sends at most one write',
  async (_name, { words, again = false, faults, code, outcome, done }) => {
    const bench = await startWafBench({ faults });
    await bench.configure();
    if (again) {
      const file = join(bench.folder, 'zones', 'managed.yaml');
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace('expression: "true"', 'expression: ssl'));
      await bench.waf(VALIDATE);
      await writeFile(file, text);
    }
    bench.taken();
    const ended = await bench.waf(`${words} --allow all --journal journal.jsonl --format json`);
    const told: unknown = JSON.parse(ended.stdout);
    expect(told).toMatchObject({ outcome });
    expect(ended.code).toBe(code);
    expect(bench.taken().filter((request) => request.startsWith('PUT'))).toHaveLength(done === null ? 0 : 1);
    expect(await journalOf(bench.folder)).toMatchObject(
      done === null ? [] : [...begun(words, again), done, { kind: 'end', result: outcome['kind'] }],
    );
  },
);

test('a waf step reports an apply that did not finish before its own run follows in the journal', async () => {
  const bench = await startWafBench();
  await bench.configure();
  const head = { at: 1000, run: 'one', kind: 'run', purpose: 'apply', plan: 'p', service: '', steps: [] };
  const planned = await bench.run('plan --format json');
  const { baseUrl: service }: { readonly baseUrl: string } = JSON.parse(planned.stdout);
  await writeFile(join(bench.folder, 'journal.jsonl'), `${JSON.stringify({ ...head, service })}\n`);
  const ended = await bench.waf(`${VALIDATE} --allow all --journal journal.jsonl`);
  expect([ended.code, ended.stderr]).toEqual([
    0,
    expect.stringContaining('An earlier apply did not finish.'),
  ]);
});
