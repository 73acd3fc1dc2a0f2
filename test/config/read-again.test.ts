import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createReadMemory, heldSource, loadProject, readAgain } from '../../src/config/index.ts';
import type { ReadSource } from '../../src/config/index.ts';
import type { Diagnostic } from '../../src/model/index.ts';
import { propertyRuns } from '../property-runs.ts';
import { PHASE, REDIRECT, START, anyEdit, own, pack, packOf, redirect, use, zone } from './edited-project.ts';
import { inFolder } from './project-folder.ts';

// Each edit comes on top of those before it, with the number of files that have to be read anew for it.
const EDITS: readonly (readonly [what: string, path: string, text: string, anew: number])[] = [
  ['a mistake in a zone', 'zones/a.yaml', zone('a', use('one') + own.replace('http.host', 'http.hosst')), 1],
  ['the zone as it was', 'zones/a.yaml', zone('a', use('one') + own), 1],
  ['a mistake in a pack', 'packs/two.yaml', pack('two', 'http.request.uri.pat'), 1],
  ['the pack as it was', 'packs/two.yaml', pack('two'), 1],
  ['a pack of another name', 'packs/one.yaml', pack('three'), 1],
  ['the pack under its name again', 'packs/one.yaml', pack('one'), 1],
  ['a use less', 'zones/b.yaml', zone('b', own), 1],
  [
    'a use of a variable more',
    'zones/b.yaml',
    zone('b', `${own}      - { ref: s, expression: 'http.host eq \${spare}', action: log }\n`),
    1,
  ],
  ['two files of one scope', 'zones/c.yaml', zone('b', own), 1],
  [
    'a comment that suppresses nothing',
    'zones/c.yaml',
    `# rulewright-disable-next-line lint/missing-ref: so\n${zone('c', own)}`,
    1,
  ],
  ['a rule of a pack that is right in one phase', 'packs/one.yaml', packOf('one', `  - ${redirect}\n`), 1],
  ['and is used there', 'zones/a.yaml', zone('a', '      - { use: one }\n').replace(PHASE, REDIRECT), 1],
  [
    'and until a day',
    'zones/a.yaml',
    zone('a', '      - { use: one, active: { until: 2999-01-01 } }\n').replace(PHASE, REDIRECT),
    1,
  ],
  ['and in a phase where it is wrong', 'zones/b.yaml', zone('b', '      - { use: one }\n'), 1],
  ['and no longer there', 'zones/b.yaml', zone('b', own), 1],
  [
    'a variable less in the project',
    'rulewright.yaml',
    (START['rulewright.yaml'] ?? '').replace('host: a.example, ', ''),
    3,
  ],
  ['a project file that is broken', 'rulewright.yaml', 'version: 1\nfiles: [', 0],
];

it('finds after each edit what a first reading of the same files finds, and reads only what the edit concerns', async () => {
  await inFolder(START, async (root) => {
    const editor = createEditor(root, START);
    expect((await editor.read()).anew).toBe(3);
    for (const [what, path, text, expected] of EDITS) {
      const { diagnostics, anew } = await editor.read({ path, text });
      expect([what, diagnostics, anew]).toEqual([what, await editor.readFirst(), expected]);
    }
  });
});

it('finds after any edits what a first reading finds', async () => {
  await inFolder(START, async (root) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEdit, { minLength: 2, maxLength: 4 }), async (edits) => {
        const editor = createEditor(root, START);
        let { diagnostics } = await editor.read();
        for (const one of edits) {
          const read = await editor.read(one);
          ({ diagnostics } = read);
          // Whatever is known early about a file stays, but for the linter, which is silent once there is an error.
          const errors = (all: ReturnType<typeof inFile>) =>
            all.filter(({ severity }) => severity === 'error');
          expect(inFile(diagnostics, one.path)).toEqual(
            expect.arrayContaining(read.early.flatMap(({ found }) => errors(found))),
          );
        }
        expect(diagnostics).toEqual(await editor.readWithNothingKnown());
      }),
      { numRuns: propertyRuns() },
    );
  });
});

it.each([
  ['a mistake in a pack, from the first file that uses it', 'packs/one.yaml', pack('one', 'http.hosst')],
  ['a pack that is right', 'packs/one.yaml', pack('one', 'http.request.uri')],
  [
    'a pack with a comment that suppresses what was found in it',
    'packs/one.yaml',
    packOf(
      'one',
      "  # rulewright-disable-next-line lint/missing-ref: so\n  - { expression: 'http.request.uri eq ${path}', action: log }\n",
    ),
  ],
  [
    'a mistake in a zone, before other files are read',
    'zones/c.yaml',
    zone('c', own.replace('http.host', 'http.hosst')),
  ],
])('tells early of %s', async (_, path, text) => {
  const files = { ...START, 'zones/c.yaml': zone('c', use('one') + own) };
  await inFolder(files, async (root) => {
    const editor = createEditor(root, files);
    await editor.read();
    const { early, diagnostics } = await editor.read({ path, text });
    expect(early).toEqual([{ anew: 1, found: inFile(diagnostics, path) }]);
  });
});

/** Returns the findings in a file, without their hints, which say in how many other uses they are. */
function inFile(found: readonly Diagnostic[], path: string): readonly Diagnostic[] {
  return found.filter(({ where }) => where?.file === path).map((one) => ({ ...one, hint: undefined }));
}

/** A program that reads a project after each edit, and what reads the same files for the first time. */
function createEditor(root: string, start: Readonly<Record<string, string>>) {
  const files = new Map(Object.entries(start));
  const createMemory = (sources: Map<string, ReadSource>) =>
    createReadMemory({
      read: async (path) => {
        const source = sources.get(path) ?? heldSource(path, files.get(path) ?? '');
        sources.set(path, source);
        return source;
      },
      pause: async () => true,
    });
  const sources = new Map<string, ReadSource>();
  const memory = createMemory(sources);
  const found = { kind: 'found', root, file: 'rulewright.yaml', selected: [] } as const;
  return {
    /** Also returns how many files were read anew. */
    read: async (edited?: { readonly path: string; readonly text: string }) => {
      if (edited !== undefined) {
        files.set(edited.path, edited.text);
        sources.delete(edited.path);
      }
      let anew = 0;
      const told: { readonly anew: number; readonly found: ReturnType<typeof inFile> }[] = [];
      const early = edited && {
        path: edited.path,
        mayLint: true,
        tell: async (some: readonly Diagnostic[]) => {
          told.push({ anew, found: inFile(some, edited.path) });
        },
      };
      const counting: typeof memory = {
        ...memory,
        file: (source, under, readAnew) =>
          memory.file(source, under, () => {
            anew += 1;
            return readAnew();
          }),
      };
      const { diagnostics } = await readAgain(found, { early }, counting);
      return { diagnostics, anew, early: told };
    },
    readWithNothingKnown: async () => (await readAgain(found, {}, createMemory(new Map()))).diagnostics,
    readFirst: async () =>
      (await inFolder(Object.fromEntries(files), (cwd) => loadProject({ cwd }))).diagnostics,
  };
}
