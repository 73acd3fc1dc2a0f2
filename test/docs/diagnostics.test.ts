import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { plan } from '../../src/app/plan-project.ts';
import { NO_SECRETS } from '../../src/app/project/project-secrets.ts';
import { runTime } from '../../src/app/run/time.ts';
import { runBudget } from '../../src/app/service/run-budget.ts';
import type { FileFindings } from '../../src/app/run/results.ts';
import { DIAGNOSTIC_CODES } from '../../src/config/source/finding.ts';
import { checkExpression } from '../../src/expression/check-expression.ts';
import { CODES } from '../../src/expression/check/check-finding.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { TEST_CODES } from '../../src/simulate/test-problem.ts';
import { rulewright } from '../cli/in-process.ts';
import { inFolder, loadFiles } from '../config/project-folder.ts';
import type { Files } from '../config/project-folder.ts';

// docs/diagnostics.md has a section for each code. The tests check the files, the rules or the expression of each section, and compare the
// finding with the output in the section. RULEWRIGHT_UPDATE_SCENARIOS=1 rewrites the outputs.

const PAGE = new URL('../../docs/diagnostics.md', import.meta.url);
const UPDATE = process.env['RULEWRIGHT_UPDATE_SCENARIOS'] === '1';

/** Codes that cannot occur at present, or whose finding says what day it is; their sections say why. */
const WITHOUT_EXAMPLE: ReadonlySet<string> = new Set(['schema/invalid', 'active/ends-soon']);

const RULES_FILE = 'zones/shop.yaml';

/** The file around rules, which begin in line 5 and column 7. */
const zoneWith = (
  rules: string,
  phase = 'http_request_firewall_custom',
): Readonly<Record<string, string>> => ({
  [RULES_FILE]: `zone: shop.example\nentrypoints:\n  ${phase}:\n    rules:\n${rules.replaceAll(/^(?=.)/gmu, '      ')}`,
});

/** The places of an output as they are in the rules that an example shows. */
const inRules = (output: string | undefined): string | undefined =>
  output?.replaceAll(
    new RegExp(`${RULES_FILE}:(\\d+):(\\d+)`, 'gu'),
    (_, line, column) => `${RULES_FILE}:${Number(line) - 4}:${Number(column) - 6}`,
  );

const blockOf = (expression: string): Files =>
  zoneWith(`- { ref: a, action: block, expression: '${expression}' }\n`);
const packOf = (name: string, rule: string, times = 1): Files => ({
  [`packs/${name}.yaml`]: `pack: ${name}\nrules:\n${`  - ${rule}\n`.repeat(times)}`,
});

/** The examples that are too large to show. */
const TOO_LARGE: Readonly<Record<string, Files>> = {
  'active/too-long': zoneWith(
    `- { ref: a, action: block, expression: 'http.host eq "${'a'.repeat(4060)}"', active: { until: 2099-12-31 } }\n`,
  ),
  'expression/too-deep': blockOf(`${'('.repeat(200)}ssl${')'.repeat(200)}`),
  'expression/too-long': blockOf(`http.request.uri.path eq "/${'x'.repeat(4096)}"`),
  'expression/too-many-regexes': blockOf(`ssl${' or http.request.uri.path matches "^/a"'.repeat(65)}`),
  'pack/too-deep': Object.assign(
    zoneWith('- use: p0\n'),
    ...Array.from({ length: 8 }, (_, at) => packOf(`p${at}`, `use: p${at + 1}`)),
    packOf('p8', '{ action: log, expression: ssl }'),
  ),
  'pack/too-many-rules': {
    ...zoneWith('- use: c\n'),
    ...packOf('a', '{ action: log, expression: ssl }', 30),
    ...packOf('b', 'use: a', 30),
    ...packOf('c', 'use: b', 30),
  },
  'variable/too-much': {
    'rulewright.yaml': `version: 1\nfiles: [zones/*.yaml]\nvars: { text: ${'x'.repeat(2 ** 20)} }\n`,
    ...zoneWith("- { action: log, expression: ssl, description: '${text}' }\n".repeat(300)),
  },
  'yaml/too-many-aliases': {
    [RULES_FILE]: `zone: shop.example
labels:
  a0: &a0 [x]
${Array.from({ length: 17 }, (_, at) => `  a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`).join('')}`,
  },
  'yaml/too-deep': { [RULES_FILE]: `zone: ${'['.repeat(100)}\n` },
  'yaml/too-large': { [RULES_FILE]: '#'.repeat(17_000_000) },
};

const WORDS = { error: 'Error', warning: 'Warning', info: 'Note' } as const;

const KNOWN = new Map(
  [
    ...Object.entries(DIAGNOSTIC_CODES),
    ...Object.entries(CODES),
    ...Object.entries(TEST_CODES).map(
      ([code, title]) => [code, { severity: 'error', title } as const] as const,
    ),
  ].map(([code, { severity, title }]) => [
    code,
    `${WORDS[severity]}. ${title.slice(0, 1).toUpperCase()}${title.slice(1)}.`,
  ]),
);

const page = readFileSync(PAGE, 'utf8');
const sections = page
  .split(/^### /mu)
  .slice(1)
  .map((section) => {
    const code = /^`(?<code>[^`]+)`/u.exec(section)?.groups?.['code'] ?? section;
    return { code, section: section.replace(/\n## [\s\S]*$/u, '') };
  });

function fences(section: string): readonly { readonly info: string; readonly body: string }[] {
  return [...section.matchAll(/^```(?<info>.*)\n(?<body>[\s\S]*?)^```$/gmu)].map(({ groups }) => ({
    info: groups?.['info'] ?? '',
    body: groups?.['body'] ?? '',
  }));
}

/** An example that is only rules, with the phase that its first line may name. */
const RULES = /^(?:# (?<phase>\w+_\w+)\n)?(?:#.*\n)*- /u;

/** The files of an example, with what a project needs beside them. */
function filesOf(code: string, section: string): Files {
  const files: Record<string, string | Uint8Array> = { ...TOO_LARGE[code] };
  for (const { body } of fences(section).filter(({ info }) => info === 'yaml' || info === 'text')) {
    const path = /^# (?<path>\S+\.yaml)\n/u.exec(body)?.groups?.['path'];
    files[path ?? RULES_FILE] =
      path === undefined ? (zoneWith(body, RULES.exec(body)?.groups?.['phase'])[RULES_FILE] ?? '') : body;
  }
  const folders = new Set(Object.keys(files).map((path) => path.split('/')[0]));
  const project = String(files['rulewright.yaml'] ?? '');
  const rest = [
    /^(?:version|files):/mu.test(project) ? '' : 'files: ["{accounts,zones}/*.yaml"]\n',
    /^version:/mu.test(project) ? '' : 'version: 1\n',
    folders.has('packs') && !/^packs:/mu.test(project) ? 'packs: [packs/*.yaml]\n' : '',
  ];
  return {
    ...(folders.has('zones')
      ? {}
      : { [RULES_FILE]: 'zone: shop.example\nlabels: { stage: canary }\nentrypoints: {}\n' }),
    ...files,
    'rulewright.yaml': `${project}${rest.join('')}`,
  };
}

/** Plans against the embedded service, because the lists are not in the files. */
function planFiles(files: Files): Promise<FileFindings> {
  return inFolder(files, (root) =>
    plan(
      { cwd: root, paths: [], targets: [] },
      {
        service: { kind: 'emulator', stateFile: join(root, 'emulator.json') },
        env: {},
        secrets: NO_SECRETS,
        concurrency: 1,
        ...runTime(),
        budget: runBudget({ share: Infinity }),
      },
      () => undefined,
    ),
  );
}

/** The finding of the example of a section, in the form of the page. */
async function found(code: string, section: string): Promise<string | undefined> {
  const blocks = fences(section);
  const expression = blocks.find(({ info }) => info.startsWith('expression'));
  if (expression !== undefined) {
    const context = expression.info.slice('expression'.length).trim();
    const findings = checkExpression(
      expression.body.replace(/\n$/u, ''),
      context === '' ? {} : JSON.parse(context),
    ).findings;
    return shown(findings.find((one) => one.code === code));
  }
  const files = filesOf(code, section);
  const own = code.startsWith('across/')
    ? 'rulewright validate --across\n'
    : Object.keys(files).some((path) => path.endsWith('.test.yaml'))
      ? 'rulewright test\n'
      : undefined;
  const commands = blocks.find(({ info }) => info === 'sh')?.body ?? own;
  const output =
    commands === undefined
      ? placed((await findingsOf(code, files)).find((one) => one.code === code))
      : await afterCommands(code, commands, files);
  return blocks.some(({ body }) => RULES.test(body)) ? inRules(output) : output;
}

async function findingsOf(code: string, files: Files): Promise<readonly Diagnostic[]> {
  const { diagnostics } = code.startsWith('list/')
    ? await planFiles(files)
    : await loadFiles(files, { environment: { TEXT: 'some text', B: '' }, today: runTime().today });
  return diagnostics;
}

/** The finding of the last command, which is one of Rulewright, after a shell has run the lines before it in a project. */
async function afterCommands(code: string, commands: string, files: Files): Promise<string | undefined> {
  const [, before = '', argv = ''] = /^([\s\S]*?)^rulewright (.*)\n$/mu.exec(commands) ?? [];
  return inFolder(files, async (cwd) => {
    await promisify(execFile)('sh', ['-euc', before], { cwd });
    const { stdout, stderr } = await rulewright([...argv.split(' '), '--format', 'json'], { cwd });
    const result: {
      readonly diagnostics?: readonly Diagnostic[];
      readonly errors?: readonly { readonly findings: readonly Diagnostic[] }[];
    } = JSON.parse(stdout);
    const findings = result.diagnostics ?? result.errors?.flatMap((error) => error.findings);
    // The diagnostics of a plan are on stderr.
    return findings === undefined
      ? new RegExp(`^\\S+ +\\w+ ${code}\n(?:  .*\n)+`, 'mu').exec(stderr)?.[0]
      : placed(findings.find((one) => one.code === code));
  });
}

function placed(one: Diagnostic | undefined): string | undefined {
  const place =
    one?.where === undefined ? '' : `${one.where.file}:${one.where.start.line}:${one.where.start.column}\n`;
  return one === undefined ? undefined : `${place}${shown(one)}`;
}

function shown(
  one: { readonly message: string; readonly hint?: string | undefined } | undefined,
): string | undefined {
  return one === undefined
    ? undefined
    : `${one.message}\n${one.hint === undefined ? '' : `hint: ${one.hint}\n`}`;
}

describe('docs/diagnostics.md', () => {
  test('has every code once, with the severity and title of the code', () => {
    expect(sections.map(({ code }) => code)).toEqual([...KNOWN.keys()].sort());
    for (const { code, section } of sections) {
      expect(section.split('\n')[2]).toBe(KNOWN.get(code));
    }
  });

  test.each(sections.filter(({ code }) => !WITHOUT_EXAMPLE.has(code)))(
    'shows the output of its example of $code',
    async ({ code, section }) => {
      const output = await found(code, section);
      if (UPDATE && output !== undefined) {
        const before = readFileSync(PAGE, 'utf8');
        const renewed = section.replace(/^```output\n[\s\S]*?^```$/mu, () => `\`\`\`output\n${output}\`\`\``);
        writeFileSync(
          PAGE,
          before.replace(section, () => renewed),
        );
        return;
      }
      expect(fences(section).find(({ info }) => info === 'output')?.body).toBe(output);
    },
  );
});
