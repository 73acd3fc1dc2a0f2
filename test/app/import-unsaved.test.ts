import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { ImportBench } from './import-bench.ts';
import { openImportBench } from './import-bench.ts';

// What somebody has written and neither applied nor committed: live does not have it, and Git could not bring it back.

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

describe('an import into files with changes that Git does not have', () => {
  test('refuses to take a rule out, and writes nothing', async () => {
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

  test('refuses to replace what a rule says', async () => {
    commitAll();
    const text = edit('description: Only JSON clients', 'description: Nobody else');
    expect(await importOne()).toMatchObject({ kind: 'failed', text });
  });

  test('refuses it of a file that was never added', async () => {
    git('init', '-q');
    const text = edit(PHASE, PHASE + UNSAVED);
    expect(await importOne()).toMatchObject({ kind: 'failed', text });
  });

  test('shows in a dry run what it would do, and that it would refuse', async () => {
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

  test('does it where that was said', async () => {
    const { [FILE]: before } = bench.files();
    commitAll();
    edit(PHASE, PHASE + UNSAVED);
    expect(await importOne(true)).toMatchObject({ kind: 'changed', text: before });
  });

  test.each(['commit', 'stage'])('does it once Git has them: %s', async (how) => {
    const { [FILE]: before } = bench.files();
    commitAll();
    edit(PHASE, PHASE + UNSAVED);
    git('add', '-A');
    if (how === 'commit') {
      git('commit', '-q', '-m', 'A rule');
    }
    expect(await importOne()).toMatchObject({ kind: 'changed', removed: [expect.anything()], text: before });
  });

  test('follows live in what is not among them', async () => {
    edit(PHASE, PHASE + UNSAVED);
    commitAll();
    edit('zone: api.example', '# The interface of the shop\nzone: api.example');
    expect(await importOne()).toMatchObject({
      kind: 'changed',
      text: expect.stringContaining('# The interface of the shop'),
    });
  });

  test("gives names to rules that had none: an id is nobody's work", async () => {
    git('init', '-q');
    const { scopes } = await bench.import({ ...SCOPE, discard: false, nameRules: true });
    expect(scopes).toMatchObject([{ kind: 'changed' }]);
  });
});

describe('an import where Git cannot tell what it has', () => {
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

  test('shows in a dry run that it would refuse outside of a repository', async () => {
    edit(PHASE, PHASE + UNSAVED);
    const { scopes } = await bench.import({ ...SCOPE, discard: false, dryRun: true });
    expect(scopes).toMatchObject([
      { kind: 'changed', refusal: { message: expect.stringContaining('cannot vouch for') } },
    ]);
  });

  test('refuses where there is no program git, committed or not', async () => {
    const text = edit(PHASE, PHASE + UNSAVED);
    commitAll();
    vi.stubEnv('PATH', bench.folder);
    const refused = await importOne();
    expect(refused).toMatchObject(refusal('there is no program git', text));
    expect(refused).toMatchObject({ hint: expect.stringContaining('install Git') });
  });

  test('refuses where Git fails, and says how to mend it', async () => {
    const text = edit(PHASE, PHASE + UNSAVED);
    commitAll();
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
    const refused = await importOne();
    expect(refused).toMatchObject(refusal('detected dubious ownership', text));
    expect(refused).toMatchObject({ hint: expect.stringContaining('safe.directory') });
  });

  test('refuses inside of the folder of a repository, which has no work tree', async () => {
    git('init', '-q', '--bare', '.');
    const text = edit(PHASE, PHASE + UNSAVED);
    expect(await importOne()).toMatchObject(refusal('this operation must be run in a work tree', text));
  });

  test('does it all the same where that was said', async () => {
    const { [FILE]: before } = bench.files();
    edit(PHASE, PHASE + UNSAVED);
    expect(await importOne(true)).toMatchObject({ kind: 'changed', text: before });
  });

  test('does it where nothing goes out of the files', async () => {
    edit('zone: api.example', '# The interface of the shop\nzone: api.example');
    expect(await importOne()).toMatchObject({ kind: 'unchanged' });
  });
});
