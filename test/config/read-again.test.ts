import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createReadMemory, heldSource, loadProject, readAgain } from '../../src/config/index.ts';
import type { ReadSource } from '../../src/config/index.ts';
import { propertyRuns } from '../property-runs.ts';
import { inFolder } from './project-folder.ts';

const PHASE = 'http_request_firewall_custom';
const zone = (name: string, rules: string, vars = '{}'): string =>
  `zone: ${name}.example\nvars: ${vars}\nentrypoints:\n  ${PHASE}:\n    rules:\n${rules}`;
const use = (pack: string): string => `      - { use: ${pack}, with: { path: /a } }\n`;
const own = "      - { ref: own, expression: 'http.host eq ${host}', action: log }\n";
const pack = (name: string, field = 'http.request.uri.path'): string =>
  `pack: ${name}\nparams: { path: { type: string } }\nrules:\n  - { ref: ${name}, expression: '${field} eq \${path}', action: block }\n`;

const START: Readonly<Record<string, string>> = {
  'rulewright.yaml':
    'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\nvars: { host: a.example, spare: b.example }\n',
  'packs/one.yaml': pack('one'),
  'packs/two.yaml': pack('two'),
  'zones/a.yaml': zone('a', use('one') + own),
  'zones/b.yaml': zone('b', use('two') + own),
  'zones/c.yaml': zone('c', own, '{ host: c.example }'),
};

const REDIRECT = 'http_request_dynamic_redirect';
const redirect =
  "{ ref: moved, expression: 'true', action: redirect, action_parameters: { from_value: { status_code: 301, target_url: { value: 'https://a.example/' } } } }";
const packOf = (name: string, lines: string): string =>
  `pack: ${name}\nparams: { path: { type: string, default: /a } }\nrules:\n${lines}`;

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

// What is found in such a rule depends on its phase, its scope, its window, or on the rules beside it.
const RULES = [
  own,
  '      - { use: one, prefix: first- }\n',
  '      - { use: one, active: { until: 2999-01-01 } }\n',
  '      - { use: two }\n',
  '      - { ref: host, expression: \'http.host eq "x.a.example"\', action: block }\n',
  "      - { ref: all, expression: 'true', action: block }\n",
  '      - { ref: typed, expression: \'http.hos eq "a"\', action: block }\n',
  `      - ${redirect}\n`,
];
const PACK_RULES = [
  `  - ${redirect}\n`,
  '  - { ref: plain, expression: \'http.host eq "x.b.example"\', action: block }\n',
  "  - { ref: filled, expression: 'http.request.uri.path eq ${path}', action: log }\n",
  "  - { ref: bad, expression: 'http.request.uri.path eq', action: block }\n",
];
const some = (lines: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...lines), { minLength: 1, maxLength: 3 }).map((chosen) => chosen.join(''));
const edit = fc.oneof(
  fc
    .record({
      file: fc.constantFrom('a', 'b', 'c'),
      name: fc.constantFrom('a', 'b'),
      rules: some(RULES),
      phase: fc.constantFrom(PHASE, REDIRECT),
    })
    .map(({ file, name, rules, phase }) => ({
      path: `zones/${file}.yaml`,
      text: zone(name, rules).replace(PHASE, phase),
    })),
  fc
    .record({ name: fc.constantFrom('one', 'two'), rules: some(PACK_RULES) })
    .map(({ name, rules }) => ({ path: `packs/${name}.yaml`, text: packOf(name, rules) })),
);

it('finds after any edits what a first reading finds', async () => {
  await inFolder(START, async (root) => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 4 }), async (edits) => {
        const editor = createEditor(root, START);
        let { diagnostics } = await editor.read();
        for (const one of edits) {
          ({ diagnostics } = await editor.read(one));
        }
        expect(diagnostics).toEqual(await editor.readWithNothingKnown());
      }),
      { numRuns: propertyRuns() },
    );
  });
});

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
      pause: async () => {},
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
      const counting: typeof memory = {
        ...memory,
        file: (source, under, readAnew) =>
          memory.file(source, under, () => {
            anew += 1;
            return readAnew();
          }),
      };
      return { diagnostics: (await readAgain(found, {}, counting)).diagnostics, anew };
    },
    readWithNothingKnown: async () => (await readAgain(found, {}, createMemory(new Map()))).diagnostics,
    readFirst: async () =>
      (await inFolder(Object.fromEntries(files), (cwd) => loadProject({ cwd }))).diagnostics,
  };
}
