import { symlink } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';

import { listTestFiles, readTestFiles } from '../../src/config/tests/read-test-files.ts';
import type { ReadTestFiles } from '../../src/config/tests/read-test-files.ts';
import { brief, inFolder } from './project-folder.ts';

const TEST = 'zone: a.example\ntests:\n  - name: one\n    request: /\n    expect: { action: none }\n';
const FILES = {
  'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\n',
  'zones/a.yaml': 'zone: a.example\n',
  'tests/b.test.yaml': TEST,
  'tests/deep/a.test.yml': TEST,
  'tests/notes.yaml': 'not: a test\n',
  'tests/node_modules/x/c.test.yaml': TEST,
  'other/d.test.yaml': TEST,
  '../outside.test.yaml': TEST,
};

function read(text: string): Promise<ReadTestFiles> {
  return inFolder({ 'a.test.yaml': text }, (root) => readTestFiles(root, ['a.test.yaml']));
}

describe('listTestFiles', () => {
  test('reports a broken link instead of skipping it', async () => {
    const listed = await inFolder(under('project', FILES), async (root) => {
      await symlink('gone.yaml', `${root}/project/tests/deep/c.test.yaml`);
      return listTestFiles(`${root}/project`, [`${root}/project/tests/deep`]);
    });
    expect(listed.files).toEqual(['tests/deep/a.test.yml']);
    expect(listed.diagnostics.map((one) => brief(one))).toEqual([
      '- config/file-unreadable tests/deep/c.test.yaml is a link that leads nowhere',
    ]);
  });

  test.each([
    [[], ['tests/b.test.yaml', 'tests/deep/a.test.yml'], []],
    [['.'], ['tests/b.test.yaml', 'tests/deep/a.test.yml'], []],
    [['tests/deep'], ['tests/deep/a.test.yml'], []],
    [['other', 'tests/b.test.yaml', 'other/d.test.yaml'], ['other/d.test.yaml', 'tests/b.test.yaml'], []],
    [['zones'], [], ['test/none-found']],
    [['zones/a.yaml'], [], ['test/not-a-test-file']],
    [['../outside.test.yaml'], [], ['test/not-a-test-file']],
  ])('finds the test files for the paths %j', async (paths, files, codes) => {
    const listed = await inFolder({ 'project/x': '', ...under('project', FILES) }, (root) =>
      listTestFiles(
        `${root}/project`,
        paths.map((path) =>
          path === '.' ? `${root}/project` : new URL(path, `file://${root}/project/`).pathname,
        ),
      ),
    );
    expect(listed.files).toEqual(files);
    expect(listed.diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  test('says where to write tests when a project has none', async () => {
    const listed = await inFolder({ 'rulewright.yaml': '' }, (root) => listTestFiles(root, []));
    expect(listed.diagnostics.map(({ hint }) => hint)).toEqual([expect.stringContaining('.test.yaml')]);
  });
});

function under(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

describe('readTestFiles', () => {
  test('returns the document and the positions in it', async () => {
    const { files, diagnostics, sources } = await read(TEST);
    expect(diagnostics).toEqual([]);
    expect(files[0]?.document.tests[0]?.name).toBe('one');
    expect(files[0]?.locate(['tests', 0, 'expect', 'action'], 'value').start).toEqual({
      line: 5,
      column: 23,
    });
    expect(files[0]?.locate(['tests', 0, 'expect', 'action'], 'key').start).toEqual({ line: 5, column: 15 });
    expect([...sources.keys()]).toEqual(['a.test.yaml']);
  });

  test.each([
    ['zone: a\n', ['1:1 schema/missing-key']],
    ['zone: a\ntests: []\n', ['2:1 schema/out-of-bounds']],
    ['', ['1:1 yaml/empty-file']],
    ['zone: [\n', ['1:7 yaml/syntax']],
    [TEST.replace('request', 'requst'), ['4:5 schema/unknown-key']],
    [TEST.replace('none', 'deny'), ['5:23 schema/unknown-action']],
    [TEST.replace('/\n', '{ url: /, method: get }\n'), ['4:32 schema/wrong-form']],
    [TEST.replace('expect: {', 'count: 0\n    expect: {'), ['5:12 schema/out-of-bounds']],
    [TEST.replace('zone: a.example', 'zone: a\nlists: { $office: [] }'), ['2:10 schema/wrong-form']],
    [TEST.replace('action: none', 'rules: { a: yes }'), ['5:27 schema/unknown-value']],
  ])('reports errors with their positions: %j', async (text, expected) => {
    const { diagnostics } = await read(text);
    expect(diagnostics.map((one) => brief(one).replace(/^a\.test\.yaml:(\S+ \S+).*/s, '$1'))).toEqual(
      expected,
    );
  });

  test('reports an unknown action without proposing a suppression comment', async () => {
    const { diagnostics } = await read(TEST.replace('none', 'reflect'));
    expect(diagnostics.map(({ code, hint = '' }) => [code, hint.includes('rulewright-disable')])).toEqual([
      ['schema/unknown-action', false],
    ]);
  });
});
