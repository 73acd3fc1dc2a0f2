import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ACTIONS, PHASES } from '../../src/model/index.ts';
import type { SourceFile } from './imports.ts';
import { rings, sourceFiles } from './imports.ts';

const FILES = sourceFiles();

/** A row of the table of folders in docs/architecture.md. */
interface Folder {
  readonly name: string;
  readonly isPure: boolean;
  /** Folders, or files of one, without `src/`. */
  readonly mayImport: readonly string[];
}

/** The files that pages may name: sources and tests. */
const ALL = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (path) => `${folder}/${path.replaceAll('\\', '/')}`,
  ),
);

const FOLDERS = readFolders();

function readFolders(): readonly Folder[] {
  const rows = [
    ...readFileSync('docs/architecture.md', 'utf8').matchAll(
      /^\| `src\/(\w+)` +\| (.*?) *\| ([^|]*?) *\|$/gmu,
    ),
  ];
  const names = rows.map(([, name = '']) => name);
  return rows.map(([, name = '', about = '', may = ''], index) => ({
    name,
    isPure: about.endsWith('Pure'),
    mayImport:
      may === 'nothing'
        ? []
        : may.split(', ').flatMap((word) => (word === 'all below' ? names.slice(index + 1) : [word])),
  }));
}

const filesOf = ({ name }: Folder): readonly SourceFile[] =>
  FILES.filter(({ path }) => path.startsWith(`src/${name}/`));

test('the table of folders in docs/architecture.md has all folders of src', () => {
  const folders = new Set(FILES.flatMap(({ path }) => path.match(/^src\/(\w+)\//u)?.[1] ?? []));
  expect(FOLDERS.map(({ name }) => name).toSorted()).toEqual([...folders].toSorted());
  expect(FOLDERS.filter(({ isPure }) => isPure).map(({ name }) => name)).toHaveLength(10);
});

test.each(FOLDERS)('src/$name imports only what the table allows', (folder) => {
  const allowed = [folder.name, ...folder.mayImport].map((name) => `src/${name}`);
  const wrong = filesOf(folder).flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith('src/'))
      .filter((name) => !allowed.some((start) => name === `${start}.ts` || name.startsWith(`${start}/`)))
      .map((name) => `${path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

/** The modules of Node that a pure folder may import. They do no input or output, and their results do not differ between runs. */
const PURE_MODULES: ReadonlySet<string> = new Set(['node:crypto', 'node:util']);
const IMPURE_PACKAGES: ReadonlySet<string> = new Set(['@hono/node-server', 'undici', 'write-file-atomic']);
const IMPURE =
  /\b(?:Date\.now|Math\.random|performance\.now|randomUUID|randomBytes|setTimeout|setInterval|fetch|process\.\w+)\b|\bnew Date\(\)/u;

/** This file holds, as a text, the script that a browser runs. */
const PAGE_SCRIPT = 'src/report/page-script.ts';

test.each(FOLDERS.filter(({ isPure }) => isPure))('src/$name is pure', (folder) => {
  expect(impurities(filesOf(folder))).toEqual([]);
});

const CONVERSIONS =
  /^src\/legacy\/.*(?:-conversion|-convert-rule|-equivalence|-fit|-plan|-report|-settings|-world|generated-requests?|same-effect|scan-file)\.ts$/u;

test('the conversions and reports of src/legacy are pure', () => {
  const files = FILES.filter(({ path }) => CONVERSIONS.test(path) && !path.includes('/run-'));
  const rooms = new Set(['legacy', ...FOLDERS.flatMap(({ name, isPure }) => (isPure ? [name] : []))]);
  const beyond = files.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith('src/') && !rooms.has(name.split('/')[1] ?? ''))
      .map((name) => `${path} imports ${name}`),
  );
  expect(files.length).toBeGreaterThan(15);
  expect([...beyond, ...impurities(files)]).toEqual([]);
});

function impurities(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text, imports }) => [
    ...imports
      .filter((name) => (name.startsWith('node:') ? !PURE_MODULES.has(name) : IMPURE_PACKAGES.has(name)))
      .map((name) => `${path} imports ${name}`),
    ...(path === PAGE_SCRIPT ? [] : codeLines(text))
      .filter((line) => IMPURE.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  ]);
}

function codeLines(text: string): readonly string[] {
  return text.replaceAll(/\/\*[\s\S]*?\*\//gu, '').split('\n');
}

/** The embedded service has tables of its own; what the service retires names the phases that took its place, until it goes as a whole. */
const WITH_OWN_FACTS = /^src\/(?:emulator|legacy)\//u;

/** What octorules calls phases and settings, and the action that it fills in: its words, in one table. */
const OCTORULES_WORDS = 'src/import/octorules/octorules-sections.ts';

test('a phase is known by name in its table only', () => {
  const literals = new RegExp(`['"\`](?:${PHASES.map(({ name }) => name).join('|')})['"\`]`, 'u');
  const naming = FILES.filter(
    ({ path, text }) => !WITH_OWN_FACTS.test(path) && codeLines(text).some((line) => literals.test(line)),
  );
  expect(naming.map(({ path }) => path).toSorted()).toEqual([OCTORULES_WORDS, 'src/model/phases.ts']);
});

/** Files that know actions by name, beside the table and those of `WITH_OWN_FACTS`, and why. */
const KNOWING_ACTIONS: Readonly<Record<string, string>> = {
  'src/model/phases.ts': 'which actions a phase allows is a fact of the phase',
  'src/model/normalise.ts': 'the defaults of parameters, by action, in one table',
  'src/model/settings.ts': 'the words of settings of bots',
  'src/model/retired/deprecated-parameters.ts': 'parameters that the service retires, in one table',
  'src/config/lint/lint-parameters.ts': 'likely mistakes in parameters, by action',
  'src/config/schema/describe-value.ts': 'what to write for actions of other tools',
  'src/config/compose/pack.ts': 'stands for a rule that is not filled in yet',
  'src/app/init.ts': 'the first rule of a new project',
  [OCTORULES_WORDS]: 'which action octorules fills in, by section',
  'src/import/terraform/rule-shape.ts': 'how Terraform spells the parameters of one',
  'src/plan/impact/executed-rules.ts': 'stands for rules that were not read',
  'src/plan/impact/judge-content.ts': 'which settings of the cache only concern files',
  'src/entitlements/features.ts': 'parameters that a plan level does not include, in one table',
};

/** The actions whose names are also those of kinds of actions, effects or lists, or of something else: only beside the word `action`, and in tables, they are actions. */
const AMBIGUOUS = new Set<string>(['log', ...ACTIONS.map(({ kind }) => kind)]);

function namingAction(text: string): readonly string[] {
  const [plain, ambiguous] = [false, true].map((wanted) =>
    ACTIONS.flatMap(({ name }) => (AMBIGUOUS.has(name) === wanted ? [name] : [])).join('|'),
  );
  const naming = new RegExp(
    [
      `(['"\`])(?:${plain})\\1`,
      `\\baction(?:'\\])? (?:===|!==) '(?:${ambiguous})'`,
      `\\baction: '(?:${ambiguous})'`,
      `^\\s*\\['(?:${ambiguous})', `,
      `(?:includes|get|has|strengthOf|actionFacts|phasesTaking|takesParameter)\\('(?:${ambiguous})'`,
    ].join('|'),
    'u',
  );
  const inSwitch = [...text.matchAll(/\bswitch \((?:\w+\.)?action\) \{[^}]*\bcase '/gu)].map(([all]) => all);
  return [...codeLines(text).filter((line) => naming.test(line)), ...inSwitch];
}

test('an action is known by name in its table only, and where it says why', () => {
  const naming = FILES.filter(
    ({ path, text }) =>
      !WITH_OWN_FACTS.test(path) && !path.includes('/generated/') && namingAction(text).length > 0,
  );
  expect(naming.map(({ path }) => path).toSorted()).toEqual(
    ['src/model/actions.ts', ...Object.keys(KNOWING_ACTIONS)].toSorted(),
  );
});

/** Returns in which files each name stands. */
function placesOf(
  files: typeof FILES,
  namesOf: (file: (typeof FILES)[number]) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, readonly string[]>();
  for (const file of files) {
    for (const name of namesOf(file)) {
      places.set(name, [...(places.get(name) ?? []), file.path]);
    }
  }
  return places;
}

test('the name of a type stands once and means one thing', () => {
  const places = placesOf(FILES, ({ text }) =>
    [...text.matchAll(/^(?:export )?(?:interface|type|class) (\w+)\b(?! *[,}])/gmu)].map(
      ([, name = '']) => name,
    ),
  );
  expect(places.size).toBeGreaterThan(2000);
  expect([...places].filter(([, paths]) => new Set(paths).size > 1)).toEqual([]);
});

test('the name of a file says what it is without its folder', () => {
  const places = placesOf(
    FILES.filter(({ path }) => !path.includes('/generated/') && !path.endsWith('/index.ts')),
    ({ path }) => [path.slice(path.lastIndexOf('/') + 1)],
  );
  expect(places.size).toBeGreaterThan(900);
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

test('rooms import each other by their faces alone', () => {
  const wrong = FILES.flatMap(({ path, imports }) => {
    const room = /^src\/\w+\//u.exec(path)?.[0] ?? 'src/';
    return imports
      .filter((name) => /^src\/\w+\//u.test(name) && (room === 'src/' || !name.startsWith(room)))
      .filter((name) => !/^src\/\w+\/(?:index\.ts|generated\/)/u.test(name))
      .map((name) => `${path} imports ${name}`);
  });
  expect(wrong).toEqual([]);
});

// Nothing imports what starts the program.
test.each(FOLDERS.filter(({ name }) => name !== 'start'))(
  'the face of src/$name says what the room does, promises and never does',
  ({ name }) => {
    const head = readFileSync(`src/${name}/index.ts`, 'utf8').split('*/')[0] ?? '';
    expect(head).toMatch(/^\/\*\*\n \* [A-Z][\s\S]*\n \* Promises: [\s\S]*\n \* Never: /u);
  },
);

/** What the embedded service may know of the rest: how scopes are called, and what the vendor has announced. */
const KNOWN_TO_EMULATOR = [
  'AffectedRoute',
  'DEPRECATIONS',
  'Deprecation',
  'ScopeKind',
  'ScopeRef',
  'effectiveDate',
  'findDeprecation',
  'foldedName',
  'isId',
  'zoneName',
];

test('the embedded service shares no table with the rest', () => {
  const taken = FILES.filter(({ path }) => path.startsWith('src/emulator/')).flatMap(({ text }) =>
    [...text.matchAll(/import (?:type )?\{([^}]*)\} from '[./]+\/model\/index\.ts'/gu)].flatMap(
      ([, names = '']) => names.split(',').map((name) => name.trim()),
    ),
  );
  expect(taken.filter((name) => name !== '' && !KNOWN_TO_EMULATOR.includes(name))).toEqual([]);
});

test('only src/start reads the arguments, environment and streams of the process, or ends it', () => {
  const wrong = FILES.filter(({ path }) => !path.startsWith('src/start/')).flatMap(({ path, text }) =>
    codeLines(text)
      .filter((line) => /\bprocess\.(?:argv|cwd|env|exit|on|std\w+)\b/u.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});

test('no files import each other in a cycle, types included', () => {
  expect(rings(new Map(FILES.map(({ path, imports }) => [path, new Set(imports)])))).toEqual([]);
});

test('no rooms import each other in a cycle', () => {
  const roomOf = (path: string): string => path.match(/^src\/[\w.-]+/u)?.[0] ?? path;
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of FILES) {
    const from = roomOf(path);
    const known = graph.get(from) ?? new Set();
    graph.set(from, known);
    imports
      .filter((name) => name.startsWith('src/') && roomOf(name) !== from)
      .forEach((name) => known.add(roomOf(name)));
  }
  expect(rings(graph)).toEqual([]);
});

test('docs/architecture.md names only files that exist', () => {
  const named = [...readFileSync('docs/architecture.md', 'utf8').matchAll(/`([\w/.-]+\.ts)`/gu)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(0);
  const missing = named.filter((name) => !ALL.some((path) => path === name || path.endsWith(`/${name}`)));
  expect(missing).toEqual([]);
});
