import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { ImportBench } from './import-bench.ts';
import { openImportBench } from './import-bench.ts';

// Edits that are neither applied nor committed: live does not have them, and Git could not restore them.

const FILE = 'zones/api.example.yaml';
const SCOPE = { zones: ['api.example'] };
const PHASE = '  http_request_firewall_custom:\n    rules:\n';
const UNSAVED = '      - { ref: not-yet-applied, expression: ssl, action: log }\n';

let bench: ImportBench;
beforeAll(async () => {
  bench = await openImportBench();
});
afterAll(() => bench.close());

beforeEach(async () => {
  await bench.reset();
  mkdirSync(join(bench.folder, 'zones'));
  writeFileSync(join(bench.folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  await bench.import(SCOPE);
});

function git(...words: readonly string[]): void {
  execFileSync('git', ['-C', bench.folder, '-c', 'user.name=T', '-c', 'user.email=t@example.test', ...words]);
}

function commitAll(): void {
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'Files');
}

/** Changes the file of the zone by hand. */
function edit(from: string, to: string): string {
  const text = bench.files()[FILE] ?? '';
  expect(text).toContain(from);
  const edited = text.replace(from, to);
  writeFileSync(join(bench.folder, FILE), edited);
  return edited;
}

async function importOne(discard = false) {
  const { scopes } = await bench.import({ ...SCOPE, discard });
  return { ...scopes[0], text: bench.files()[FILE] };
}

describe('an import into files with edits that Git does not have', () => {
  test('refuses to remove an uncommitted rule, and writes nothing', async () => {
    commitAll();
    const text = edit(PHASE, PHASE + UNSAVED);
    const line = text.slice(0, text.indexOf(UNSAVED)).split('\n').length;
    expect(await importOne()).toMatchObject({
      kind: 'failed',
      message: `following live would lose what Git does not have: http_request_firewall_custom: not-yet-applied (${FILE}:${line})`,
      hint: expect.stringContaining('--discard'),
      text,
    });
  });

  test('refuses to replace an uncommitted change of a rule', async () => {
    commitAll();
    const text = edit('description: Only JSON clients', 'description: Nobody else');
    expect(await importOne()).toMatchObject({ kind: 'failed', text });
  });

  test('refuses to remove a rule from a file that was never added to Git', async () => {
    git('init', '-q');
    const text = edit(PHASE, PHASE + UNSAVED);
    expect(await importOne()).toMatchObject({ kind: 'failed', text });
  });

  test('shows in a dry run the changes and the refusal, and no refusal with discard', async () => {
    commitAll();
    edit(PHASE, PHASE + UNSAVED);
    const { scopes, pending } = await bench.import({ ...SCOPE, discard: false, dryRun: true });
    expect(scopes).toMatchObject([
      {
        kind: 'changed',
        removed: [expect.stringContaining('not-yet-applied')],
        refusal: {
          message: expect.stringContaining('would lose what Git does not have'),
          hint: expect.stringContaining('--discard'),
        },
      },
    ]);
    expect(pending?.map(({ path }) => path)).toEqual([FILE]);
    const { scopes: discarded } = await bench.import({ ...SCOPE, dryRun: true, discard: true });
    expect(discarded[0]).not.toHaveProperty('refusal');
  });

  test('removes the uncommitted rule with discard', async () => {
    const { [FILE]: before } = bench.files();
    commitAll();
    edit(PHASE, PHASE + UNSAVED);
    expect(await importOne(true)).toMatchObject({ kind: 'changed', text: before });
  });

  test.each(['commit', 'stage'])('removes the rule without discard once Git has it: %s', async (how) => {
    const { [FILE]: before } = bench.files();
    commitAll();
    edit(PHASE, PHASE + UNSAVED);
    git('add', '-A');
    if (how === 'commit') {
      git('commit', '-q', '-m', 'A rule');
    }
    expect(await importOne()).toMatchObject({ kind: 'changed', removed: [expect.anything()], text: before });
  });

  test('removes a committed rule from a file whose uncommitted edit is elsewhere', async () => {
    edit(PHASE, PHASE + UNSAVED);
    commitAll();
    edit('zone: api.example', '# The interface of the shop\nzone: api.example');
    expect(await importOne()).toMatchObject({
      kind: 'changed',
      text: expect.stringContaining('# The interface of the shop'),
    });
  });

  test("replaces ids by proposed refs with nameRules, because an id is nobody's work", async () => {
    git('init', '-q');
    const { scopes } = await bench.import({ ...SCOPE, discard: false, nameRules: true });
    expect(scopes).toMatchObject([{ kind: 'changed' }]);
  });
});

describe('an import when Git cannot tell which edits it has', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const refusal = (reason: string, text: string): object => ({
    kind: 'failed',
    message: expect.stringMatching(
      new RegExp(
        `lose what Git cannot vouch for \\(${reason}.*\\): http_request_firewall_custom: not-yet-applied`,
      ),
    ),
    hint: expect.stringContaining('--discard'),
    text,
  });

  test('refuses outside of a repository', async () => {
    const text = edit(PHASE, PHASE + UNSAVED);
    const refused = await importOne();
    expect(refused).toMatchObject(refusal('not in a Git repository', text));
    expect(refused).toMatchObject({ hint: expect.stringContaining('git init') });
  });

  test('shows the refusal in a dry run outside of a repository', async () => {
    edit(PHASE, PHASE + UNSAVED);
    const { scopes } = await bench.import({ ...SCOPE, discard: false, dryRun: true });
    expect(scopes).toMatchObject([
      { kind: 'changed', refusal: { message: expect.stringContaining('cannot vouch for') } },
    ]);
  });

  test('refuses even a committed change when there is no program git', async () => {
    const text = edit(PHASE, PHASE + UNSAVED);
    commitAll();
    vi.stubEnv('PATH', bench.folder);
    const refused = await importOne();
    expect(refused).toMatchObject(refusal('there is no program git', text));
    expect(refused).toMatchObject({ hint: expect.stringContaining('install Git') });
  });

  test('refuses when git fails on an unsafe folder, with a hint to safe.directory', async () => {
    const text = edit(PHASE, PHASE + UNSAVED);
    commitAll();
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
    const refused = await importOne();
    expect(refused).toMatchObject(refusal('detected dubious ownership', text));
    expect(refused).toMatchObject({ hint: expect.stringContaining('safe.directory') });
  });

  test('refuses in a bare repository, which has no work tree', async () => {
    git('init', '-q', '--bare', '.');
    const text = edit(PHASE, PHASE + UNSAVED);
    expect(await importOne()).toMatchObject(refusal('this operation must be run in a work tree', text));
  });

  test('removes the rule with discard', async () => {
    const { [FILE]: before } = bench.files();
    edit(PHASE, PHASE + UNSAVED);
    expect(await importOne(true)).toMatchObject({ kind: 'changed', text: before });
  });

  test('does not refuse when it removes nothing from the files', async () => {
    edit('zone: api.example', '# The interface of the shop\nzone: api.example');
    expect(await importOne()).toMatchObject({ kind: 'unchanged' });
  });
});
