import { expect, it } from 'vitest';
import { createReadMemory, heldSource, loadProject, readAgain } from '../../src/config/index.ts';
import type { ReadSource } from '../../src/config/index.ts';
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
    const files = new Map(Object.entries(START));
    const sources = new Map<string, ReadSource>();
    let anew = 0;
    const memory = createReadMemory({
      read: async (path) => {
        const source = sources.get(path) ?? heldSource(path, files.get(path) ?? '');
        sources.set(path, source);
        return source;
      },
      pause: async () => {},
    });
    const read = async (): Promise<readonly unknown[]> => {
      anew = 0;
      const found = { kind: 'found', root, file: 'rulewright.yaml', selected: [] } as const;
      const counting: typeof memory = {
        ...memory,
        file: (source, under, readAnew) =>
          memory.file(source, under, () => {
            anew += 1;
            return readAnew();
          }),
      };
      return (await readAgain(found, {}, counting)).diagnostics;
    };
    await read();
    expect(anew).toBe(3);
    for (const [what, path, text, expected] of EDITS) {
      files.set(path, text);
      sources.delete(path);
      const again = await read();
      const first = await inFolder(Object.fromEntries(files), (cwd) => loadProject({ cwd }));
      expect([what, again, anew]).toEqual([what, first.diagnostics, expected]);
    }
  });
});
